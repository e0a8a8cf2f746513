// The code of an attention: the same operations in C++ and in TorchScript.

#include "blocks/attention.h"

namespace plumbline::blocks {

namespace {

/// How C++ and TorchScript write the same operations.
struct Language {
    std::string function;     ///< before a function's name
    std::string member;       ///< between a module and its state
    std::string open, close;  ///< around a list
    std::string define, end;  ///< around the definition of a variable
    std::string yes, no;
    std::string nothing;  ///< an optional tensor left out
};

const Language& cppLanguage() {
    static const Language language{"torch::", "->", "{", "}", "const auto ", ";\n", "true", "false", "{}"};
    return language;
}

const Language& scriptLanguage() {
    static const Language language{"torch.", ".", "[", "]", "", "\n", "True", "False", "None"};
    return language;
}

class AttentionWriter {
public:
    AttentionWriter(const Language& language, const Attention& attention, const AttentionNames& names)
        : m_language(language), m_attention(attention), m_names(names) {}

    /// The statements, and the expression of the result.
    std::string write(std::string& result) {
        project();
        std::string keys = name("k");
        std::string values = name("v");
        std::string mask = m_language.nothing;
        if (m_attention.extraKeys() > 0) {
            if (m_attention.causal) {
                mask = name("mask");
                define(mask, visibleKeys());
            }
            keys = extended("k");
            values = extended("v");
        }
        const bool causalAsSuch = m_attention.causal && m_attention.extraKeys() == 0;
        define(name("heads"),
               fmt::format("{}scaled_dot_product_attention({}, {}, {}, {}, {}, {})", m_language.function, name("q"),
                           keys, values, mask, m_names.dropout, causalAsSuch ? m_language.yes : m_language.no));
        const std::string joined =
            name("heads") +
            (m_attention.batchFirst ? ".transpose(1, 2)" : fmt::format(".permute({})", list("2, 0, 1, 3"))) +
            ".flatten(2)";
        result = linear(joined, state("out_proj" + m_language.member + "weight"),
                        state("out_proj" + m_language.member + "bias"));
        return m_code;
    }

private:
    std::string name(std::string_view what) const { return fmt::format("{}_{}", m_names.output, what); }
    std::string state(const std::string& what) const { return m_names.module + m_language.member + what; }
    std::string list(const std::string& items) const { return m_language.open + items + m_language.close; }
    void define(const std::string& variable, const std::string& expression) {
        m_code += m_language.define + variable + " = " + expression + m_language.end;
    }
    std::string linear(const std::string& input, const std::string& weight, const std::string& bias) const {
        return fmt::format("{}linear({}, {}, {})", m_language.function, input, weight,
                           m_attention.bias ? bias : m_language.nothing);
    }
    /// From [B, T, heads, size] or [T, B, heads, size] to [B, heads, T, size].
    std::string headsFirst() const {
        return m_attention.batchFirst ? ".transpose(1, 2)" : fmt::format(".permute({})", list("1, 2, 0, 3"));
    }

    /// Defines q, k and v in heads; one product where all three come from one sequence.
    void project() {
        const std::string packedWeight = state("in_proj_weight");
        const std::string packedBias = state("in_proj_bias");
        if (m_attention.samePacked() && m_names.query == m_names.key && m_names.key == m_names.value) {
            define(name("qkv"),
                   fmt::format("{}.unflatten(-1, {}).unbind(2)", linear(m_names.query, packedWeight, packedBias),
                               list(fmt::format("3, {}, -1", m_names.heads))));
            for (std::size_t i = 0; i < 3; ++i) {
                define(name(kLetters[i]), fmt::format("{}[{}]{}", name("qkv"), i, headsFirst()));
            }
            return;
        }
        if (m_attention.samePacked()) {
            define(name("w"), packedWeight + ".chunk(3)");
        }
        if (m_attention.bias) {
            define(name("b"), packedBias + ".chunk(3)");
        }
        const std::string* inputs[] = {&m_names.query, &m_names.key, &m_names.value};
        for (std::size_t i = 0; i < 3; ++i) {
            const std::string weight = m_attention.samePacked() ? fmt::format("{}[{}]", name("w"), i)
                                                                : state(std::string(kLetters[i]) + "_proj_weight");
            define(name(kLetters[i]), fmt::format("{}.unflatten(-1, {}){}",
                                                  linear(*inputs[i], weight, fmt::format("{}[{}]", name("b"), i)),
                                                  list(m_names.heads + ", -1"), headsFirst()));
        }
    }

    /// Keys or values with the learned one and the one of zeros behind those of the sequence.
    std::string extended(const std::string& letter) {
        std::string parts = name(letter);
        if (m_attention.addBiasKv) {
            parts += fmt::format(", {}.view({}).expand({})", state("bias_" + letter),
                                 list(fmt::format("1, {}, 1, -1", m_names.heads)),
                                 list(fmt::format("{}.size(0), -1, -1, -1", name(letter))));
        }
        if (m_attention.addZeroAttention) {
            parts += fmt::format(", {}zeros_like({}.narrow(2, 0, 1))", m_language.function, name(letter));
        }
        define(name(letter + "_all"), fmt::format("{}cat({}, 2)", m_language.function, list(parts)));
        return name(letter + "_all");
    }

    /// Which keys a query sees: none that are later, and all that were added.
    std::string visibleKeys() const {
        const std::string ones = name("q") + ".new_ones";
        const std::string queries = name("q") + ".size(2)";
        return fmt::format(
            "{}cat({}, 1).gt(0)", m_language.function,
            list(fmt::format("{0}({1}).tril(), {0}({2})", ones, list(fmt::format("{}, {}.size(2)", queries, name("k"))),
                             list(fmt::format("{}, {}", queries, m_attention.extraKeys())))));
    }

    static constexpr const char* kLetters[] = {"q", "k", "v"};
    const Language& m_language;
    const Attention& m_attention;
    const AttentionNames& m_names;
    std::string m_code;
};

}  // namespace

std::string cppAttention(const Attention& attention, const AttentionNames& names) {
    std::string result;
    const std::string code = AttentionWriter(cppLanguage(), attention, names).write(result);
    return fmt::format("{}torch::Tensor {} = {};", code, names.output, result);
}

std::string scriptAttention(const Attention& attention, const AttentionNames& names) {
    std::string result;
    const std::string code = AttentionWriter(scriptLanguage(), attention, names).write(result);
    return fmt::format("{}{} = {}", code, names.output, result);
}

}  // namespace plumbline::blocks
