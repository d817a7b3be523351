// System Structure Packages: what becomes of nested systems, values, units and transformations.
#include "fmi/structure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fmi/testing.hpp"

namespace cosimo {
namespace {

using fmi::Structure;
using testing::Contents;
using ::testing::HasSubstr;

constexpr const char* namespaces =
    "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" "
    "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
    "xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" "
    "xmlns:ssm=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\" "
    "xmlns:ssb=\"http://ssp-standard.org/SSP1/SystemStructureSignalDictionary\"";

/// y = a u + b with units, an enumeration and a text.
std::string unit_gain(const std::filesystem::path& folder) {
  Contents gain("gain");
  gain.replace("<ModelVariables>",
               "<UnitDefinitions><Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>"
               "<Unit name=\"K\"><BaseUnit K=\"1\"/></Unit></UnitDefinitions>"
               "<TypeDefinitions><SimpleType name=\"Gear\"><Enumeration><Item name=\"park\" value=\"1\"/>"
               "<Item name=\"drive\" value=\"4\"/></Enumeration></SimpleType></TypeDefinitions>"
               "<ModelVariables>");
  gain.replace("</ModelVariables>",
               "<ScalarVariable name=\"gear\" valueReference=\"502\" causality=\"parameter\" "
               "variability=\"fixed\"><Enumeration declaredType=\"Gear\" start=\"1\"/></ScalarVariable>"
               "<ScalarVariable name=\"note\" valueReference=\"600\" causality=\"output\"><String/>"
               "</ScalarVariable></ModelVariables>");
  gain.replace("causality=\"input\"><Real start=\"0\"", "causality=\"input\"><Real unit=\"m\" start=\"0\"");
  gain.replace("causality=\"output\"><Real/>", "causality=\"output\"><Real unit=\"m\"/>");
  return gain.pack(folder / "gain.fmu");
}

struct Package {
  TemporaryFolder folder;
  Contents contents;

  Package() { contents.files["resources/gain.fmu"] = testing::read_bytes(unit_gain(folder.path())); }

  /// A description with this inside its root system, and this behind it.
  static std::string description(const std::string& inside, const std::string& behind = {}) {
    return "<?xml version=\"1.0\"?>\n<ssd:SystemStructureDescription version=\"1.0\" name=\"test\" " +
           std::string(namespaces) + ">\n<ssd:System name=\"root\">\n" + inside + "\n</ssd:System>\n" +
           behind + "\n</ssd:SystemStructureDescription>\n";
  }
  Package& root(const std::string& inside, const std::string& behind = {}) {
    contents.files["SystemStructure.ssd"] = description(inside, behind);
    return *this;
  }
  std::string pack() { return contents.pack(folder.path() / "test.ssp"); }
  Structure read() { return fmi::read_structure(pack()); }
  std::string complaint() {
    try {
      read();
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }
};

std::string component(const std::string& name, const std::string& inside = {},
                      const std::string& attributes = {}) {
  return "<ssd:Component name=\"" + name + "\" source=\"resources/gain.fmu\" " + attributes + ">" + inside +
         "</ssd:Component>\n";
}
std::string elements(const std::string& inside) {
  return "<ssd:Elements>" + inside + "</ssd:Elements>\n";
}
std::string connector(const std::string& name, const std::string& kind, const std::string& unit = {}) {
  return "<ssd:Connector name=\"" + name + "\" kind=\"" + kind + "\"><ssc:Real" +
         (unit.empty() ? "" : " unit=\"" + unit + "\"") + "/></ssd:Connector>";
}
std::string connectors(const std::string& inside) {
  return "<ssd:Connectors>" + inside + "</ssd:Connectors>";
}
/// "a.y" or "y" of the system itself.
std::string connection(const std::string& from, const std::string& to, const std::string& inside = {},
                       const std::string& attributes = {}) {
  const auto end = [](const std::string& which, const std::string& name) {
    const std::size_t dot = name.find('.');
    return (dot == std::string::npos ? "" : which + "Element=\"" + name.substr(0, dot) + "\" ") + which +
           "Connector=\"" + name.substr(dot == std::string::npos ? 0 : dot + 1) + "\" ";
  };
  return "<ssd:Connection " + end("start", from) + end("end", to) + attributes + ">" + inside +
         "</ssd:Connection>\n";
}
std::string connections(const std::string& inside) {
  return "<ssd:Connections>" + inside + "</ssd:Connections>\n";
}
std::string real(const std::string& name, const std::string& value, const std::string& unit = {}) {
  return "<ssv:Parameter name=\"" + name + "\"><ssv:Real value=\"" + value + "\"" +
         (unit.empty() ? "" : " unit=\"" + unit + "\"") + "/></ssv:Parameter>";
}
std::string parameter_set(const std::string& parameters, const std::string& behind = {}) {
  return "<ssv:ParameterSet version=\"1.0\" name=\"p\" " + std::string(namespaces) + "><ssv:Parameters>" +
         parameters + "</ssv:Parameters>" + behind + "</ssv:ParameterSet>";
}
std::string bindings(const std::string& inside) {
  return "<ssd:ParameterBindings>" + inside + "</ssd:ParameterBindings>";
}
std::string binding(const std::string& parameters, const std::string& attributes = {},
                    const std::string& mapping = {}, const std::string& behind = {}) {
  return "<ssd:ParameterBinding " + attributes + "><ssd:ParameterValues>" +
         parameter_set(parameters, behind) + "</ssd:ParameterValues>" + mapping + "</ssd:ParameterBinding>";
}

constexpr const char* units =
    "<ssd:Units><ssc:Unit name=\"mm\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit>"
    "<ssc:Unit name=\"m\"><ssc:BaseUnit m=\"1\"/></ssc:Unit>"
    "<ssc:Unit name=\"degC\"><ssc:BaseUnit K=\"1\" offset=\"273.15\"/></ssc:Unit>"
    "<ssc:Unit name=\"K\"><ssc:BaseUnit K=\"1\"/></ssc:Unit></ssd:Units>";

/// Of a component, by the name of the variable.
std::vector<double> numbers(const Structure& s, std::size_t number, const std::string& name) {
  for (const FmuValue& value : s.components[number].set)
    if (value.name == name) return std::get<std::vector<double>>(value.value);
  return {};
}

TEST(Structure, DissolvesNestedSystems) {
  Package package;
  package.root(
      elements(component("a") + "<ssd:System name=\"inner\">" +
               connectors(connector("in", "input") + connector("out", "output")) +
               elements(component("b") + component("c")) +
               connections(connection("in", "b.u") + connection("b.y", "c.u") + connection("c.y", "out")) +
               "</ssd:System>") +
          connections(connection("a.y", "inner.in") + connection("inner.out", "a.u")),
      "<ssd:DefaultExperiment startTime=\"0\" stopTime=\"2.5\"/>");
  const Structure s = package.read();
  ASSERT_EQ(s.components.size(), 3U);
  EXPECT_EQ(s.components[1].name, "inner.b");
  EXPECT_EQ(s.components[1].fmu, (package.folder.path() / "test.ssp/resources/gain.fmu").string());
  EXPECT_EQ(s.stop, 2.5);
  std::vector<std::string> links;
  for (const auto& each : s.connections) links.push_back(each.from + " -> " + each.to);
  EXPECT_THAT(links, ::testing::UnorderedElementsAre("a.y -> inner.b.u", "inner.b.y -> inner.c.u",
                                                     "inner.c.y -> a.u"));
  // The FMU can be opened where it is.
  EXPECT_EQ(fmi::open_fmu(s.components[1].fmu, {})->description.model_name, "gain");
}

TEST(Structure, StartAndEndSayNothingOfTheDirection) {
  Package package;
  package.root(elements(component("a") + component("b")) + connections(connection("b.u", "a.y")));
  const Structure s = package.read();
  ASSERT_EQ(s.connections.size(), 1U);
  EXPECT_EQ(s.connections[0].from + " -> " + s.connections[0].to, "a.y -> b.u");
}

TEST(Structure, UnitsAndFactorsAddUp) {
  Package package;
  package.root(
      elements(component("a", connectors(connector("y", "output", "m"))) + "<ssd:System name=\"inner\">" +
               connectors(connector("in", "input", "mm")) + elements(component("b")) +
               connections(connection("in", "b.u", "<ssc:LinearTransformation factor=\"3\" offset=\"1\"/>")) +
               "</ssd:System>") +
          connections(connection("a.y", "inner.in", "<ssc:LinearTransformation offset=\"5\"/>")),
      units);
  const Structure s = package.read();
  ASSERT_EQ(s.connections.size(), 1U);
  // In mm: 1000 y + 5; in m, then tripled: 3 (y + 0.005) + 1.
  EXPECT_DOUBLE_EQ(s.connections[0].factor, 3);
  EXPECT_DOUBLE_EQ(s.connections[0].offset, 3 * 0.005 + 1);
}

TEST(Structure, UnitsMayBeKept) {
  Package package;
  package.root(connectors(connector("in", "input", "degC")) +
                   elements("<ssd:System name=\"s\">" + connectors(connector("t", "output", "degC")) +
                            elements(component("a")) +
                            connections(connection("a.y", "t", "", "suppressUnitConversion=\"true\"")) +
                            "</ssd:System><ssd:System name=\"r\">" +
                            connectors(connector("k", "input", "K")) + elements(component("b")) +
                            connections(connection("k", "b.u", "", "suppressUnitConversion=\"true\"")) +
                            "</ssd:System>") +
                   connections(connection("s.t", "r.k")),
               units);
  const Structure s = package.read();
  ASSERT_EQ(s.connections.size(), 1U);
  EXPECT_DOUBLE_EQ(s.connections[0].factor, 1);
  EXPECT_DOUBLE_EQ(s.connections[0].offset, 273.15);
}

TEST(Structure, BooleanTablesAreStraightLines) {
  Package package;
  package.root(elements(component("a") + component("b")) +
               connections(connection("a.y", "b.u",
                                      "<ssc:BooleanMappingTransformation><ssc:MapEntry source=\"true\" "
                                      "target=\"false\"/><ssc:MapEntry source=\"false\" target=\"true\"/>"
                                      "</ssc:BooleanMappingTransformation>")));
  const Structure s = package.read();
  EXPECT_EQ(s.connections[0].factor, -1);
  EXPECT_EQ(s.connections[0].offset, 1);
}

TEST(Structure, LaterAndHigherValuesCount) {
  Package package;
  package.root(elements("<ssd:System name=\"s\">" +
                        elements(component("g.h", bindings(binding(real("a", "1") + real("b", "1")) +
                                                           binding(real("a", "2"))))) +
                        bindings(binding(real("b", "4"), "prefix=\"g.h.\"")) + "</ssd:System>") +
               bindings(binding(real("s.g.h.u", "7") + real("s.g.h.unknown", "1") + real("nobody", "1"))));
  const Structure s = package.read();
  EXPECT_EQ(numbers(s, 0, "a"), std::vector{2.0});
  EXPECT_EQ(numbers(s, 0, "b"), std::vector{4.0});
  EXPECT_EQ(numbers(s, 0, "u"), std::vector{7.0});
  EXPECT_EQ(s.components[0].set.size(), 3U);
}

TEST(Structure, FilesOfParametersAreMappedAndConverted) {
  Package package;
  package.contents.files["resources/values.ssv"] =
      parameter_set(real("length", "1500", "[mm]") + real("other", "3"),
                    "<ssv:Units><ssc:Unit name=\"mm\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit>"
                    "</ssv:Units>");
  package.contents.files["resources/names.ssm"] =
      "<ssm:ParameterMapping version=\"1.0\" " + std::string(namespaces) +
      "><ssm:MappingEntry source=\"length\" target=\"g.u\"><ssc:LinearTransformation factor=\"2\" "
      "offset=\"0.5\"/></ssm:MappingEntry><ssm:MappingEntry source=\"\" target=\"g.a\"/>"
      "</ssm:ParameterMapping>";
  package.root(elements(component("g")) +
               bindings("<ssd:ParameterBinding source=\"resources/values.ssv\"><ssd:ParameterMapping "
                        "source=\"resources/names.ssm\"/></ssd:ParameterBinding>"));
  const Structure s = package.read();
  ASSERT_EQ(s.components[0].set.size(), 1U) << "what is not mapped is not applied";
  EXPECT_DOUBLE_EQ(numbers(s, 0, "u").at(0), 2 * 1.5 + 0.5);
}

TEST(Structure, EnumerationsHaveNames) {
  Package package;
  package.root(elements(
      component("g", bindings(binding("<ssv:Parameter name=\"gear\"><ssv:Enumeration value=\"drive\"/>"
                                      "</ssv:Parameter>")))));
  EXPECT_EQ(numbers(package.read(), 0, "gear"), std::vector{4.0});
  package.root(
      elements(component("g", bindings(binding("<ssv:Parameter name=\"gear\"><ssv:Enumeration value=\"fly\"/>"
                                               "</ssv:Parameter>")))));
  EXPECT_THAT(package.complaint(), HasSubstr("g.gear: fly: is no item of its enumeration"));
}

TEST(Structure, ValuesOfASystemReachItsComponents) {
  Package package;
  package.root(connectors(connector("k", "parameter") + connector("in", "input", "mm")) +
                   elements(component("g", connectors(connector("a", "parameter")))) +
                   connections(connection("k", "g.a", "<ssc:LinearTransformation factor=\"10\"/>") +
                               connection("in", "g.u")) +
                   bindings(binding(real("k", "3") + real("in", "250"))),
               units);
  const Structure s = package.read();
  EXPECT_TRUE(s.connections.empty());
  EXPECT_EQ(numbers(s, 0, "a"), std::vector{30.0});
  EXPECT_DOUBLE_EQ(numbers(s, 0, "u").at(0), 0.25);
}

TEST(Structure, DictionariesAreBuses) {
  Package package;
  package.root(
      "<ssd:SignalDictionaries><ssd:SignalDictionary name=\"bus\"><ssb:SignalDictionary version=\"1.0\">"
      "<ssb:DictionaryEntry name=\"speed\"><ssc:Real/></ssb:DictionaryEntry></ssb:SignalDictionary>"
      "</ssd:SignalDictionary></ssd:SignalDictionaries>" +
      elements(
          component("a") + "<ssd:SignalDictionaryReference name=\"here\" dictionary=\"bus\"/>" +
          "<ssd:System name=\"s\">" +
          elements(component("b") + "<ssd:SignalDictionaryReference name=\"there\" dictionary=\"bus\"/>") +
          connections(connection("there.speed", "b.u")) + "</ssd:System>") +
      connections(connection("a.y", "here.speed")));
  const Structure s = package.read();
  ASSERT_EQ(s.connections.size(), 1U);
  EXPECT_EQ(s.connections[0].from + " -> " + s.connections[0].to, "a.y -> s.b.u");
}

TEST(Structure, ComponentsMayBeSystemsOfOtherFiles) {
  Package inner, package;
  inner.root(connectors(connector("out", "output")) + elements(component("g")) +
             connections(connection("g.y", "out")) + bindings(binding(real("g.a", "1") + real("g.b", "1"))));
  package.contents.files["resources/inner.ssp"] = testing::read_bytes(inner.pack());
  package.contents.files["part.ssd"] = inner.contents.files["SystemStructure.ssd"];
  package.root(elements("<ssd:Component name=\"p\" type=\"application/x-ssp-package\" "
                        "source=\"resources/inner.ssp\">" +
                        bindings(binding(real("g.b", "5"))) +
                        "</ssd:Component><ssd:Component name=\"d\" "
                        "type=\"application/x-ssp-definition\" source=\"part.ssd\"/>" +
                        component("c")) +
               connections(connection("p.out", "c.u")));
  const Structure s = package.read();
  ASSERT_EQ(s.components.size(), 3U);
  EXPECT_EQ(s.components[0].name, "p.g");
  EXPECT_THAT(s.components[0].fmu, HasSubstr("test.ssp/resources/inner.ssp/resources/gain.fmu"));
  EXPECT_EQ(numbers(s, 0, "a"), std::vector{1.0});
  EXPECT_EQ(numbers(s, 0, "b"), std::vector{5.0}) << "the component's values come after";
  EXPECT_THAT(s.components[1].fmu, HasSubstr("test.ssp/resources/gain.fmu"));
  EXPECT_EQ(s.connections[0].from, "p.g.y");
  // One that contains itself.
  package.contents.files["part.ssd"] = Package::description(
      elements("<ssd:Component name=\"d\" type=\"application/x-ssp-definition\" source=\"part.ssd\"/>"));
  EXPECT_THAT(package.complaint(), HasSubstr("systems refer to each other without end"));
}

TEST(Structure, NestingIsBounded) {
  constexpr int levels = 200'000;
  std::string open, close;
  for (int i = 0; i < levels; ++i) {
    open += "<ssd:System name=\"s\"><ssd:Elements>";
    close += "</ssd:Elements></ssd:System>";
  }
  Package package;
  package.root(elements(open + component("g") + close));
  EXPECT_THAT(package.complaint(), HasSubstr("SystemStructure.ssd:4: systems are in each other more than"));
}

// Each file names the next one twice: few files, but two to the power of their number of systems.
TEST(Structure, ElementsAreBounded) {
  Package package;
  const auto twice = [](int file) {
    std::string inside;
    for (const char* name : {"a", "b"})
      inside += "<ssd:Component name=\"" + std::string(name) +
                "\" type=\"application/x-ssp-definition\" source=\"" + std::to_string(file) + ".ssd\"/>";
    return elements(inside);
  };
  package.root(twice(1));
  for (int file = 1; file < 32; ++file)
    package.contents.files[std::to_string(file) + ".ssd"] = Package::description(twice(file + 1));
  package.contents.files["32.ssd"] = Package::description(elements(component("g")));
  EXPECT_THAT(package.complaint(), HasSubstr("the system has more than 20000 elements"));
}

TEST(Structure, VariantsAndFoldersAreOpenedByName) {
  Package package;
  package.root(elements(component("a")));
  package.contents.files["Other.ssd"] = Package::description(elements(component("x") + component("y")));
  const std::string file = package.pack();
  EXPECT_EQ(fmi::read_structure(file).components.size(), 1U);
  EXPECT_EQ(fmi::read_structure(file + "/Other.ssd").components.size(), 2U);
  const std::filesystem::path folder = package.folder.path() / "unpacked";
  std::filesystem::create_directories(folder / "resources");
  for (const auto& [name, bytes] : package.contents.files)
    std::ofstream(folder / name, std::ios::binary) << bytes;
  EXPECT_EQ(fmi::read_structure(folder / "Other.ssd").components[0].fmu,
            (folder / "resources/gain.fmu").string());
}

struct Wrong {
  const char* name;
  std::string inside;
  std::string words;
};
void PrintTo(const Wrong& wrong, std::ostream* out) {
  *out << wrong.name;
}
class WrongPackages : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongPackages, AreRefusedInWords) {
  Package package;
  const std::string told = package.root(GetParam().inside, units).complaint();
  EXPECT_THAT(told, HasSubstr(GetParam().words));
  EXPECT_THAT(told, HasSubstr("test.ssp"));
}

const std::string two = elements(component("a") + component("b"));
INSTANTIATE_TEST_SUITE_P(
    All, WrongPackages,
    ::testing::Values(
        Wrong{"NoComponents", "", "SystemStructure.ssd:3: the system has no components"},
        Wrong{"NoElement", two + connections(connection("a.y", "c.u")),
              "SystemStructure.ssd:7: Connection: c: there is no element of this name in the system"},
        Wrong{
            "NoVariable", two + connections(connection("a.y", "b.gearr")),
            "SystemStructure.ssd:7: Connection: b.gearr: the FMU has no variable of this name (did you mean "
            "`gear`?)"},
        Wrong{"NoConnector", two + connections(connection("in", "b.u")),
              "the system has no connector of this name"},
        Wrong{"TwoOutputs", two + connections(connection("a.y", "b.y")), "joins two outputs"},
        Wrong{"TwoSignals", two + connections(connection("a.y", "b.u") + connection("b.y", "b.u")),
              "SystemStructure.ssd:8: Connection: y - u: two signals go to this input"},
        Wrong{"Text", two + connections(connection("a.note", "b.u")),
              "signals of type string are not supported"},
        Wrong{"Circle",
              connectors(connector("x", "inout") + connector("z", "inout")) + two +
                  connections(connection("x", "z") + connection("z", "x") + connection("x", "b.u")),
              "lead round in a circle"},
        Wrong{"OtherUnits",
              connectors(connector("t", "input", "K")) + elements(component("a")) +
                  connections(connection("t", "a.u")),
              "the units K and m cannot be converted"},
        Wrong{"OtherUnitThanTheFmu",
              elements(component("a", connectors(connector("u", "input", "mm"))) + component("b")) +
                  connections(connection("b.y", "a.u")),
              "u: mm: the variable of the FMU has another unit, m"},
        Wrong{"Table",
              two + connections(connection("a.y", "b.u",
                                           "<ssc:IntegerMappingTransformation><ssc:MapEntry source=\"3\" "
                                           "target=\"5\"/></ssc:IntegerMappingTransformation>")),
              "a table of values is not supported for signals"},
        Wrong{"Network", elements("<ssd:Component name=\"a\" source=\"https://example.org/a.fmu\"/>"),
              "is not fetched from anywhere"},
        Wrong{"Slip", elements("<ssd:Component name=\"a\" source=\"resources/../../a.fmu\"/>"),
              "leads out of the package"},
        Wrong{"EncodedSlip", elements("<ssd:Component name=\"a\" source=\"%2e%2e/a.fmu\"/>"),
              "leads out of the package"},
        Wrong{"NoFmu", elements("<ssd:Component name=\"a\" source=\"resources/other.fmu\"/>"),
              "resources/other.fmu: is not in this archive"},
        Wrong{"NoSource", elements("<ssd:Component name=\"a\"/>"), "the component has no model (source)"},
        Wrong{"SourceCode", elements(component("a", "", "type=\"application/x-fmu-sourcecode\"")),
              "this kind of component is not supported"},
        Wrong{"Scheduled", elements(component("a", "", "implementation=\"ScheduledExecution\"")),
              "this kind of FMU is not supported"},
        Wrong{"NotANumber", elements(component("a", bindings(binding(real("a", "many"))))),
              "a: many: is not a finite number"},
        Wrong{"NotFinite", elements(component("a", "\n" + bindings(binding(real("a", "NaN"))))),
              "SystemStructure.ssd:5: a: NaN: is not a finite number"},
        Wrong{"Infinite", elements(component("a", bindings(binding(real("a", "INF"))))),
              "a: INF: is not a finite number"},
        Wrong{"Calculated", elements(component("a", bindings(binding(real("y", "1"))))),
              "a.y: it is no parameter, input or start value, but output"},
        Wrong{"NameOnTwoLines", elements(component("a&#10;b")),
              "SystemStructure.ssd:4: Component.name: a?b: has control characters"},
        Wrong{"NoParameters",
              elements(component("a", bindings("<ssd:ParameterBinding source=\"none.ssv\"/>"))),
              "none.ssv: is not in the package"},
        Wrong{"NoXml", "<ssd:Elements>", "is not valid XML"}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(Structure, OldVersionsAndOtherFilesAreRefused) {
  Package package;
  package.contents.files["SystemStructure.ssd"] = "<html/>";
  EXPECT_THAT(package.complaint(), HasSubstr("is no description of a system"));
  package.contents.files.erase("SystemStructure.ssd");
  EXPECT_THAT(package.complaint(), HasSubstr("SystemStructure.ssd: is not in the package"));
}

}  // namespace
}  // namespace cosimo
