// Archives that are broken, or made to do harm: each ends with the right words and leaves nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/error.hpp"
#include "fmi/testing.hpp"
#include "fmi/unpack.hpp"

namespace cosimo {
namespace {

using testing::accurate;
using testing::Contents;
using ::testing::HasSubstr;

struct Hostile {
  const char* name;
  const char* words;
  std::function<void(Contents&)> spoil;
  std::function<void(std::string&)> damage{};  ///< of the packed bytes
};
void PrintTo(const Hostile& h, std::ostream* out) {
  *out << h.name;
}

std::size_t folders_left() {
  std::size_t count = 0;
  for (const auto& each : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
    count += each.path().filename().string().starts_with("cosimo-fmu-") ? 1 : 0;
  return count;
}

class HostileArchives : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileArchives, AreRefusedInWords) {
  // Its own folder for temporary files: other programs have some in the usual one.
  const TemporaryFolder folder;
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  Contents contents("half");
  GetParam().spoil(contents);
  const std::string file = contents.pack(folder.path() / "hostile.fmu");
  if (GetParam().damage) {
    std::string bytes = testing::read_bytes(file);
    GetParam().damage(bytes);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  }
  setenv("TMPDIR", folder.path().c_str(), 1);
  try {
    const auto spec = make_fmu("f", {.file = file}, accurate());
    const auto component = spec->make(testing::all_connected(*spec), PartId{std::size_t{1}});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().words));
    EXPECT_THAT(error.what(), HasSubstr("hostile.fmu"));
  }
  EXPECT_EQ(folders_left(), 0U);
  for (const auto& each : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(each.path().filename(), "hostile.fmu");
  if (before != nullptr)
    setenv("TMPDIR", kept.c_str(), 1);
  else
    unsetenv("TMPDIR");
}

const auto as_it_is = [](Contents&) {};
std::function<void(Contents&)> with_file(const std::string& name) {
  return [name](Contents& c) { c.files[name] = "harm"; };
}
std::function<void(Contents&)> with_xml(const std::string& old_text, const std::string& new_text) {
  return [=](Contents& c) {
    ASSERT_NE(c.xml().find(old_text), std::string::npos) << old_text;
    c.replace(old_text, new_text);
  };
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileArchives,
    ::testing::Values(
        Hostile{"ZipSlip", "leads out of the archive's folder", with_file("../../evil.so")},
        Hostile{"ZipSlipInside", "leads out of the archive's folder", with_file("resources/../../evil")},
        Hostile{"AbsolutePath", "is an absolute path", with_file("/tmp/evil")},
        Hostile{"DriveLetter", "is an absolute path", with_file("C:/evil")},
        Hostile{"Backslashes", "has a backslash in its name", with_file("..\\evil")},
        Hostile{"ControlCharacters", "control characters", with_file("resources/a\nb")},
        Hostile{"FileAsFolder", "resources/a/b: has a file, resources/a, as its folder",
                [](Contents& c) { c.files["resources/a"] = c.files["resources/a/b"] = "harm"; }},
        Hostile{"FileAndFolder", "resources/a/: has a file, resources/a, as its folder",
                [](Contents& c) {
                  c.files["resources/a"] = "harm";
                  c.files["resources/a/"];
                }},
        Hostile{"LongName", "too long", with_file("resources/" + std::string(300, 'x'))},
        Hostile{"NoPlainPath", "is not a plain path", with_file("resources//evil")},
        Hostile{"TheSameFileTwice", "is in the archive twice", with_file("modelDescription.xm~"),
                [](std::string& bytes) {
                  testing::rename_entry(bytes, "modelDescription.xm~", "modelDescription.xml");
                }},
        Hostile{"Link", "is a link",
                [](Contents& c) {
                  c.files["resources/passwd"] = "/etc/passwd";
                  c.links.emplace_back("resources/passwd");
                }},
        Hostile{"Bomb", "but a bomb",
                [](Contents& c) { c.files["resources/zeros"] = std::string(std::size_t{200} << 20U, '\0'); }},
        Hostile{"LongDescription", "no model description is that long",
                [](Contents& c) { c.xml() += std::string(std::size_t{65} << 20U, ' '); }},
        Hostile{"ManyFiles", "entries, more than",
                [](Contents& c) {
                  for (int k = 0; k < 20'001; ++k) c.files["resources/" + std::to_string(k)] = "x";
                }},
        Hostile{"Truncated", "is not a readable archive", as_it_is,
                [](std::string& bytes) { bytes.resize(bytes.size() / 2); }},
        Hostile{"NoArchive", "is not a readable archive", as_it_is,
                [](std::string& bytes) { bytes = "this is no archive at all"; }},
        Hostile{"Damaged", "modelDescription.xml", as_it_is,
                [](std::string& bytes) {
                  const std::size_t name = bytes.find("modelDescription.xml");
                  for (std::size_t k = name + 60; k < name + 90; ++k) bytes[k] = static_cast<char>(~bytes[k]);
                }},
        Hostile{"NoDescription", "holds no modelDescription.xml",
                [](Contents& c) { c.files.erase("modelDescription.xml"); }},
        Hostile{"BrokenXml", "is not valid XML", with_xml("</ModelVariables>", "")},
        Hostile{"OtherXml", "is no model description of FMI", [](Contents& c) { c.xml() = "<html/>"; }},
        Hostile{"OldVersion", "this version of FMI is not supported", with_xml("\"2.0\"", "\"1.0\"")},
        Hostile{"NoGuid", "guid: is missing", with_xml("guid=\"{test}\"", "")},
        Hostile{"BadGuid", "wrong guid", with_xml("{test}", "{other}")},
        Hostile{"NoInterface", "neither co-simulation nor model exchange",
                [](Contents& c) { c.replace("<ModelExchange", "<Some").replace("<CoSimulation", "<Other"); }},
        Hostile{"IdentifierWithPath", "functions of C may begin with",
                [](Contents& c) { c.replace("modelIdentifier=\"half\"", "modelIdentifier=\"../../half\""); }},
        Hostile{"WrongPlatform", "the FMU has binaries for win64 only",
                [](Contents& c) {
                  auto binary = c.files.extract("binaries/linux64/half.so");
                  binary.key() = "binaries/win64/half.dll";
                  c.files.insert(std::move(binary));
                }},
        Hostile{"NoBinary", "the FMU has no binaries",
                [](Contents& c) { c.files.erase("binaries/linux64/half.so"); }},
        Hostile{"BinaryCutShort", "the binary is cut short",
                [](Contents& c) { c.files["binaries/linux64/half.so"].resize(6000); }},
        Hostile{"BinaryOfNothing", "cannot be loaded",
                [](Contents& c) { c.files["binaries/linux64/half.so"] = "not an ELF file"; }},
        Hostile{"NameOnTwoLines",
                "modelDescription.xml:15: ScalarVariable.name: x?state: has control characters",
                with_xml("name=\"x_state\"", "name=\"x&#10;state\"")},
        Hostile{"NoReference", "has no valid valueReference", with_xml("valueReference=\"200\"", "")},
        Hostile{"WrongReference", "is not a whole number",
                with_xml("valueReference=\"200\"", "valueReference=\"-2\"")},
        Hostile{"CausalityMissing", "is listed among the outputs, but its causality is local",
                with_xml("name=\"x\" valueReference=\"200\" causality=\"output\"",
                         "name=\"x\" valueReference=\"200\"")},
        Hostile{"CausalityUnknown", "is no causality",
                with_xml("causality=\"output\"", "causality=\"outlet\"")},
        Hostile{"StartNaN", "its start value is not a finite number",
                with_xml("start=\"100\"", "start=\"NaN\"")},
        Hostile{"StartNoNumber", "its start value is not a finite number",
                with_xml("start=\"100\"", "start=\"many\"")},
        Hostile{"SameNameTwice", "two variables have this name",
                with_xml("name=\"v_other\"", "name=\"x_other\"")},
        Hostile{"DerivativeOfItself", "is its own derivative",
                with_xml("derivative=\"10\"", "derivative=\"12\"")},
        Hostile{"DerivativeOfNothing", "does not exist", with_xml("derivative=\"10\"", "derivative=\"99\"")},
        Hostile{"DependsOnNothing", "does not exist",
                with_xml("dependencies=\"6 7 10 11\"", "dependencies=\"77\"")},
        Hostile{"NoType", "has no type", with_xml("<Real start=\"100\"/>", "")},
        Hostile{"ManyIndicators", "more than any model has",
                with_xml("guid=\"{test}\"", "guid=\"{test}\" numberOfEventIndicators=\"99999999999\"")},
        Hostile{"DerivativesInACircle", "by a circle of derivatives",
                [](Contents&
                       c) { c.replace("\"exact\"><Real start", "\"exact\"><Real derivative=\"12\" start"); }},
        Hostile{
            "UnitTwice", "is defined twice",
            with_xml(
                "<ModelVariables>",
                "<UnitDefinitions><Unit name=\"m\"/><Unit name=\"m\"/></UnitDefinitions><ModelVariables>")},
        Hostile{"TypeOfNothing", "is of a type that is not defined",
                with_xml("<Real start=\"100\"/>", "<Real start=\"100\" declaredType=\"Length\"/>")},
        Hostile{
            "NeedsItsTool", "works only where its tool is installed",
            [](Contents& c) {
              c.replace("<CoSimulation", "<CoSimulation needsExecutionTool=\"true\"").replace("{test}", "{other}");
            }}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

/// Not all of them are as tidy as they might be.
TEST(Unpacking, TakesWhatToolsPack) {
  const TemporaryFolder from, to;
  Contents contents("half");
  for (const char* folder : {"./", "resources/", "resource~/"}) contents.files[folder];
  contents.files["extra/notes"] = contents.files["extra/note~"] = "twice, and nobody needs it";
  for (const char* name : {"modelDescription.xml", "binaries/linux64/half.so"}) {
    auto file = contents.files.extract(name);
    file.key() = std::string("./") + name;
    contents.files.insert(std::move(file));
  }
  const std::string file = contents.pack(from.path() / "a.fmu");
  std::string bytes = testing::read_bytes(file);
  testing::rename_entry(bytes, "extra/note~", "extra/notes");
  testing::rename_entry(bytes, "resource~/", "resources/");
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  const Unpacked unpacked = unpack_fmu(file, to.path());
  EXPECT_EQ(unpacked.platforms, std::vector<std::string>{"linux64"});
  EXPECT_TRUE(std::filesystem::exists(to.path() / "modelDescription.xml"));
  EXPECT_TRUE(std::filesystem::exists(to.path() / "binaries/linux64/half.so"));
}

TEST(Unpacking, FindsAnArchiveInsideAnother) {
  const TemporaryFolder from, to;
  const std::string fmu = Contents("half").pack(from.path() / "half.fmu");
  Contents inner("gain"), outer("gain");
  inner.files["resources/half.fmu"] = testing::read_bytes(fmu);
  outer.files["a/inner.ssp"] = testing::read_bytes(inner.pack(from.path() / "inner.ssp"));
  const std::string package = outer.pack(from.path() / "outer.ssp");
  unpack_fmu(package + "/a/inner.ssp/resources/half.fmu", to.path());
  EXPECT_TRUE(std::filesystem::exists(to.path() / "binaries/linux64/half.so"));
  try {
    unpack_fmu(package + "/a/inner.ssp/resources/gain.fmu", to.path());
    ADD_FAILURE() << "there is no such file";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("outer.ssp/a/inner.ssp: resources/gain.fmu: is not in this archive"));
  }
}

std::string words_of(const FmuSettings& settings) {
  try {
    const auto spec = make_fmu("f", settings, accurate());
    const auto component = spec->make(testing::all_connected(*spec), PartId{std::size_t{1}});
    component->make_lane();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// Of FMI 3: sizes are read from the description.
TEST(HostileArrays, AreRefusedInWords) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& variable) {
    Contents contents("half3");
    contents.replace("</ModelVariables>", variable + "</ModelVariables>");
    return words_of({.file = contents.pack(folder.path() / "hostile.fmu")});
  };
  EXPECT_THAT(with("<Float64 name=\"a\" valueReference=\"1\"><Dimension start=\"4000000000\"/>"
                   "<Dimension start=\"4000000000\"/></Float64>"),
              HasSubstr("more than a million elements"));
  EXPECT_THAT(with("<Float64 name=\"a\" valueReference=\"1\"><Dimension start=\"0\"/></Float64>"),
              HasSubstr("is an array without elements"));
  EXPECT_THAT(with("<UInt64 name=\"n\" valueReference=\"1\" causality=\"structuralParameter\" start=\"3\">"
                   "<Dimension valueReference=\"1\"/></UInt64>"),
              HasSubstr("has a size that no structural parameter"));
  EXPECT_THAT(with("<Float64 name=\"a\" valueReference=\"10\"/>"),
              HasSubstr("two variables have this valueReference"));
}

TEST(WrongValues, AreRefusedInWords) {
  const std::string half = std::string(COSIMO_FMUS) + "/half.fmu";
  const auto with = [&](const char* name, std::variant<std::vector<double>, std::string> value) {
    return words_of({.file = half, .set = {{name, std::move(value), {"s.yaml", 4, 7, "subsystems.1.set"}}}});
  };
  EXPECT_THAT(with("m", "abc"), HasSubstr("s.yaml:4:7: subsystems.1.set: abc: must be a number"));
  EXPECT_THAT(with("mode", std::vector{1.5}), HasSubstr("1.5: must be a whole number"));
  EXPECT_THAT(with("mode", std::vector{99999999999.0}),
              HasSubstr("99999999999: must be between -2147483648 and 2147483647"));
  EXPECT_THAT(with("mode", std::vector{-2147483649.0}), HasSubstr("must be between"));
  EXPECT_THAT(with("m", std::vector{1.0, 2.0}), HasSubstr("[1, 2]: has 2 values, not 1"));
  EXPECT_THAT(with("mod", std::vector{1.0}), HasSubstr("did you mean `mode`?"));
}

TEST(WrongValues, KeepToTheirType) {
  const TemporaryFolder folder;
  Contents contents("half3");
  contents.replace("</ModelVariables>",
                   "<UInt8 name=\"byte\" valueReference=\"900\" causality=\"parameter\" "
                   "variability=\"fixed\" start=\"1\"/>"
                   "<Boolean name=\"flag\" valueReference=\"901\" causality=\"parameter\" "
                   "variability=\"fixed\" start=\"false\"/>"
                   "<Int64 name=\"long\" valueReference=\"902\" causality=\"parameter\" "
                   "variability=\"fixed\" start=\"1\"/>"
                   "<UInt64 name=\"n\" valueReference=\"903\" causality=\"structuralParameter\" "
                   "variability=\"fixed\" start=\"3\"/>"
                   "<UInt64 name=\"sizes\" valueReference=\"904\" causality=\"structuralParameter\" "
                   "variability=\"fixed\" start=\"1 1 1\"><Dimension start=\"3\"/></UInt64>"
                   "</ModelVariables>");
  const std::string file = contents.pack(folder.path() / "types.fmu");
  const auto with = [&](const char* name, std::vector<double> value) {
    return words_of({.file = file, .set = {{name, std::move(value)}}});
  };
  EXPECT_THAT(with("byte", {256}), HasSubstr("f.set.byte: 256: must be between 0 and 255"));
  EXPECT_THAT(with("byte", {-1}), HasSubstr("must be between 0 and 255"));
  EXPECT_THAT(with("flag", {2}), HasSubstr("must be between 0 and 1"));
  EXPECT_THAT(with("long", {9223372036854775808.0}), HasSubstr("must be between -9223372036854775808"));
  EXPECT_THAT(with("n", {2, 3}), HasSubstr("a value for each element, here 1, not 2"));
  EXPECT_THAT(with("n", {-1}), HasSubstr("must be between 0 and"));
  EXPECT_THAT(with("sizes", {2}), HasSubstr("a value for each element, here 3, not 1"));
}

/// What an FMU may do when it is made: with isolation all of it is a message.
TEST(HostileStart, IsToldWithIsolation) {
  const auto mood = [](double mode, const char* model) {
    return words_of({.file = std::string(COSIMO_FMUS) + "/" + model + ".fmu",
                     .set = {{"mode", std::vector{mode}}},
                     .isolate = true,
                     .time_limit = 0.3});
  };
  for (const char* model : {"half", "half3"}) {
    EXPECT_THAT(mood(7, model), HasSubstr("the FMU cannot be initialised"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which end a process their own way
    EXPECT_THAT(mood(8, model), HasSubstr("it crashed (segmentation fault)"));
#endif
    EXPECT_THAT(mood(9, model), HasSubstr("it did not come back"));
    EXPECT_THAT(mood(10, model), HasSubstr("it ended its process (exit code 3)"));
  }
}

TEST(Unpacking, StopsAtItsLimits) {
  const TemporaryFolder from, to;
  const std::string file = Contents("half").pack(from.path() / "a.fmu");
  EXPECT_THROW(unpack_fmu(file, to.path(), {.total = 1000}), Error);
  EXPECT_THROW(unpack_fmu(file, to.path(), {.file = 1000}), Error);
  EXPECT_THROW(unpack_fmu(file, to.path(), {.entries = 1}), Error);
  EXPECT_EQ(std::filesystem::is_empty(to.path()), true);
}

}  // namespace
}  // namespace cosimo
