// What holds for every expression and every document, tried on random ones.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "graph/document.h"
#include "graph/expression.h"
#include "graph/tensor_type.h"

namespace plumbline::graph {
namespace {

/// An arithmetic expression with the value that Python gives it.
struct Arithmetic {
    std::int64_t value = 0;
    std::string text;
    int precedence = 3;  ///< 1: + and -, 2: * // %, 3: a number or parentheses
};

std::int64_t floorDivided(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// The text in parentheses only where the operator around it binds more tightly.
std::string within(const Arithmetic& part, int precedence, bool right) {
    const bool needed = part.precedence < precedence || (right && part.precedence == precedence);
    return needed ? "(" + part.text + ")" : part.text;
}

Arithmetic arithmetic(int depth) {
    if (depth == 0 || *rc::gen::inRange(0, 4) == 0) {
        const std::int64_t number = *rc::gen::inRange<std::int64_t>(0, 20);
        return {number, std::to_string(number), 3};
    }
    const Arithmetic a = arithmetic(depth - 1), b = arithmetic(depth - 1);
    const std::string space = *rc::gen::element<std::string>("", " ", "  ");
    const auto joined = [&](const char* sign, int precedence, std::int64_t value) {
        return Arithmetic{value, within(a, precedence, false) + space + sign + space + within(b, precedence, true),
                          precedence};
    };
    switch (*rc::gen::inRange(0, b.value == 0 ? 3 : 5)) {
        case 0:
            return joined("+", 1, a.value + b.value);
        case 1:
            return joined("-", 1, a.value - b.value);
        case 2:
            return joined("*", 2, a.value * b.value);
        case 3:
            return joined("//", 2, floorDivided(a.value, b.value));
        default:
            return joined("%", 2, a.value - b.value * floorDivided(a.value, b.value));
    }
}

TEST(ExpressionProperty, MeansWhatItsOperatorsMeanWithAsFewParenthesesAsPossible) {
    EXPECT_TRUE(rc::check([] {
        const Arithmetic expression = arithmetic(3);
        const auto value = evaluateExpression(expression.text, Scope());
        RC_ASSERT(value.has_value());
        RC_ASSERT(value->get<std::int64_t>() == expression.value);
        const auto doubled = evaluateExpression("((" + expression.text + "))", Scope());
        RC_ASSERT(doubled.has_value() && *doubled == *value);
    }));
}

TEST(ExpressionProperty, NoTextMakesItThrow) {
    EXPECT_TRUE(rc::check([] {
        const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
            "1", "2.5", "'a'", "x", "index", "+", "-", "*", "/", "//", "%", "**", "(", ")", "[", "]", ",", "if", "else",
            "not", "and", "<", "==", "min", "9999999999999999999", " "));
        std::string text;
        for (const std::string& piece : pieces) {
            text += piece;
        }
        Scope scope;
        scope.set("x", 3);
        const auto value = evaluateExpression(text, scope);
        RC_ASSERT(value.has_value() || !value.error().message.empty());
    }));
}

const std::map<std::string, std::int64_t> kSizes = {{"B", 5}, {"T", 7}, {"width", 12}};

/// A dimension with the value it has when the symbols are kSizes.
struct Sized {
    Dim dim;
    std::int64_t value = 0;
};

Sized sized(int depth) {
    if (depth == 0 || *rc::gen::inRange(0, 3) == 0) {
        if (*rc::gen::arbitrary<bool>()) {
            const std::int64_t number = *rc::gen::inRange<std::int64_t>(-20, 100);
            return {number, number};
        }
        const std::string symbol = *rc::gen::element<std::string>("B", "T", "width");
        return {Dim::symbol(symbol), kSizes.at(symbol)};
    }
    const Sized a = sized(depth - 1);
    const int operation = *rc::gen::inRange(0, 4);
    if (operation == 3) {
        const std::int64_t divisor = *rc::gen::inRange<std::int64_t>(1, 9);
        return {floorDivide(a.dim, Dim(divisor)), floorDivided(a.value, divisor)};
    }
    const Sized b = sized(depth - 1);
    switch (operation) {
        case 0:
            return {a.dim + b.dim, a.value + b.value};
        case 1:
            return {a.dim - b.dim, a.value - b.value};
        default:
            return {a.dim * b.dim, a.value * b.value};
    }
}

TEST(DimProperty, ComesBackFromItsTextWithItsValue) {
    EXPECT_TRUE(rc::check([] {
        const Sized before = sized(3);
        const auto after = Dim::parse(before.dim.toString());
        RC_ASSERT(after.has_value());
        RC_ASSERT(*after == before.dim);
        RC_ASSERT(after->evaluate(kSizes) == before.value);
    }));
}

std::string name(const char* prefix, std::size_t index) {
    return prefix + std::to_string(index);
}

/// Any document that the file format can hold; whether its types exist is another question.
Document document() {
    Document made;
    const auto fill = [](Graph& graph, bool isRoot) {
        const std::size_t inputs = *rc::gen::inRange<std::size_t>(1, 3);
        for (std::size_t i = 0; i < inputs; ++i) {
            GraphInput input;
            input.name = name("in", i);
            if (isRoot) {
                input.shape = Json::array({"B", *rc::gen::inRange(1, 64)});
                input.dtype = *rc::gen::element<std::string>("float32", "int64");
            }
            graph.inputs.push_back(input);
        }
        const std::size_t nodes = *rc::gen::inRange<std::size_t>(1, 6);
        for (std::size_t i = 0; i < nodes; ++i) {
            Node node;
            node.name = name("node", i);
            node.type = *rc::gen::element<std::string>("Linear", "ReLU", "Add", "Conv2d");
            const std::size_t sources = *rc::gen::inRange<std::size_t>(0, 3);
            for (std::size_t s = 0; s < sources; ++s) {
                const std::size_t which = *rc::gen::inRange<std::size_t>(0, i + 1);
                Input input;
                input.source.node = which == i ? graph.inputs.front().name : name("node", which);
                node.inputs.push_back(input);
            }
            if (*rc::gen::arbitrary<bool>()) {
                node.params = {{"out_features", *rc::gen::inRange(1, 99)},
                               {"bias", *rc::gen::arbitrary<bool>()},
                               {"p", "=width * 2"}};
            }
            node.frozen = *rc::gen::arbitrary<bool>();
            node.mode = *rc::gen::element<std::string>("", "eval", "stochastic");
            node.repeat = *rc::gen::arbitrary<bool>() ? Json() : Json(3);
            node.note = *rc::gen::element<std::string>("", "by hand", "\"quoted\" ü");
            graph.nodes.push_back(node);
        }
        GraphOutput output;
        output.name = "out";
        output.source.node = graph.nodes.back().name;
        graph.outputs.push_back(output);
    };
    const std::size_t definitions = *rc::gen::inRange<std::size_t>(0, 3);
    for (std::size_t i = 0; i < definitions; ++i) {
        made.definitions.emplace_back().name = name("Block", i);
        fill(made.definitions.back(), false);
    }
    fill(made.root, true);
    return made;
}

TEST(DocumentProperty, ComesBackFromItsJson) {
    EXPECT_TRUE(rc::check([] {
        const Json first = writeDocument(document());
        const auto read = readDocument(first);
        RC_ASSERT(read.has_value());
        RC_ASSERT(writeDocument(*read) == first);
        const auto again = readDocument(parseJson(first.dump(2), "text").value());
        RC_ASSERT(again.has_value());
        RC_ASSERT(*again == *read);
    }));
}

}  // namespace
}  // namespace plumbline::graph
