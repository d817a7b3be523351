// The style sheet of overview.svg: private to results/.
//
// The colours of subsystems are told apart also with colour-vision deficiency (after Okabe and
// Ito), and ordered so that neighbours differ in hue and in lightness.
#pragma once

#include <string_view>

namespace cosimo {

inline constexpr int palette_size = 6;

inline constexpr std::string_view overview_style = R"(<style>
text{font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Helvetica,"Liberation Sans",Arial,sans-serif;fill:#24292f}
.bg{fill:#fff}.panel{fill:#fafbfc;stroke:#c9d0d8;stroke-width:1}
.title{font-size:24px;font-weight:600}.subtitle{font-size:14.5px;fill:#57606a}
.head{font-size:14px;font-weight:600}.note{font-size:13px;fill:#57606a}.tick{font-size:12.5px;fill:#57606a}
.grid{stroke:#e4e8ec;stroke-width:1}.mark{stroke:#8c96a0;stroke-width:1}
path{fill:none;stroke-linejoin:round;stroke-linecap:round}
.many path{stroke-width:9}.some path{stroke-width:14}.few path{stroke-width:20}
path.step{stroke:#3a424a;stroke-width:12}path.bad{stroke:#d1242f;stroke-width:15}
.c0{stroke:#0072b2}.c1{stroke:#dc8a00}.c2{stroke:#4aa8e0}.c3{stroke:#c94f00}.c4{stroke:#00936a}.c5{stroke:#c06aa8}
rect.c0{fill:#0072b2}rect.c1{fill:#dc8a00}rect.c2{fill:#4aa8e0}rect.c3{fill:#c94f00}rect.c4{fill:#00936a}rect.c5{fill:#c06aa8}
rect.c0,rect.c1,rect.c2,rect.c3,rect.c4,rect.c5{stroke:none}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.bg{fill:#0f1318}.panel{fill:#151a21;stroke:#39424e}
.subtitle,.note,.tick{fill:#9da7b3}.grid{stroke:#232a33}.mark{stroke:#6b7683}
path.step{stroke:#d4dbe3}path.bad{stroke:#ff6a69}
.c0{stroke:#3d9be0}.c1{stroke:#f5a623}.c2{stroke:#8fd3ff}.c3{stroke:#f0703a}.c4{stroke:#21c08f}.c5{stroke:#e08fca}
rect.c0{fill:#3d9be0}rect.c1{fill:#f5a623}rect.c2{fill:#8fd3ff}rect.c3{fill:#f0703a}rect.c4{fill:#21c08f}rect.c5{fill:#e08fca}
}
</style>
)";

/// What paths of bodies need beside it. Widths in tenths of a pixel.
inline constexpr std::string_view scene_style = R"(<style>
.trace{opacity:.8}path.then{stroke:#b9c2cb;stroke-width:22}path.now{stroke:#57606a;stroke-width:22}
path.rim{stroke:#fafbfc;stroke-width:112}path.end{stroke-width:80}path.rim.small{stroke-width:56}path.end.small{stroke-width:40}
.name{font-size:12.5px;paint-order:stroke;stroke:#fafbfc;stroke-width:4px;stroke-linejoin:round}
@media (prefers-color-scheme:dark){
path.then{stroke:#39424e}path.now{stroke:#9da7b3}path.rim{stroke:#151a21}.name{stroke:#151a21}
}
</style>
)";

}  // namespace cosimo
