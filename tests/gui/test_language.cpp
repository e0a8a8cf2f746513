// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine says is Chinese in the Chinese window: nothing in its source is without a translation.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTranslator>

#include "blocks/register.h"
#include "gui/engine_sentence.h"
#include "gui/engine_text.h"
#include "support.h"

namespace plumbline::gui::test {

namespace {

/// Modules whose words reach a person. Texts of forms (settings.cpp, …) are told apart by engine_text.h.
const QStringList kModules{"core",        "graph", "blocks",  "data",    "plan",  "project",
                           "diagnostics", "store", "session", "codegen", "sweep", "model",
                           "compile",     "train", "export",  "runtime", "cuda",  "monitor"};
const QStringList kOtherFiles{"template_models.cpp", "schema.cpp",         "settings.cpp",       "attention_code.cpp",
                              "loss_source.cpp",     "formula_source.cpp", "schedule_source.cpp"};
/// Source text that looks like words: assertions of the compiler, pieces of generated programs, commands.
const QStringList kNoSentences{
    "{}.argmax({}, {})",
    "expected inputs vector size to be ",                        // looked for in what a package says
    "dim value is too small at %zu, expected it to be >= %lld",  // looked for in what a package says
    "{} in {}",
    "{}.mean({}, {})",
    "IDX values are turned round on reading",
    "chunks are little-endian",
    "auto [{}] = {}->forward({});",
    "(position - {})",
    ".betas({{{}, {}}}).eps({}).amsgrad({})",
    ", {}: Tensor",
    ", {{}}, alongClasses({}, {})",
    "countedLabels({}, {}, {})",
    ", Tensor",
    "normalized(mean{0}, deviation{0})",
    "normalized({{{}}}, {{{}}})",
    "inline const char* const {}[] = {{",
    "The texts of the column {}, by class.",
    "The classes of {}.",
    "{}{}: {} {} becomes {} {}.",
    "Error at",
    "{}.narrow({}, 0, {}.size({}))",
    "None, {}[{}, {}]",
    "[{}, {}], {}None",
    "{}.weight, {}",
    "is_training() ? dropout_ : 0.0",
    "{}->is_training() ? {} : 0.0",
    "({} if {} else 0.0)",
    "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release ",
    "cmake --build build",
    "build/inference weights.pt {}",
    "float32 [B, 1, 8, 8]",
    "float32 [B, 32]",
    "float32 [4, T], int64 [4]",
    "float32 [4, T]",
    "failed to map segment",
    "plumbline trust {} {}",
    "plumbline trust PROJECT"};

QString unescaped(QString raw) {
    return raw.replace("\\\"", "\"").replace("\\t", "\t").replace("\\\\", "\\");
}

/// Every literal of a C++ source, those next to each other joined, as the compiler does.
QStringList literalsOf(QString source) {
    source.remove(QRegularExpression("//[^\\n]*"));
    source.replace(QRegularExpression("R\"(\\w*)\\(.*?\\)\\1\"", QRegularExpression::DotMatchesEverythingOption),
                   "\"\"");
    static const QRegularExpression run("\"(?:[^\"\\\\\\n]|\\\\.)*\"(?:\\s*\"(?:[^\"\\\\\\n]|\\\\.)*\")*");
    static const QRegularExpression one("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    QStringList all;
    for (auto runs = run.globalMatch(source); runs.hasNext();) {
        const QString joined = runs.next().captured();
        QString text;
        for (auto parts = one.globalMatch(joined); parts.hasNext();) {
            text += parts.next().captured(1);
        }
        all << text;
    }
    return all;
}

bool isSentence(const QString& raw) {
    const QString text = unescaped(raw);
    static const QRegularExpression code(
        "torch[.:]|::|^[a-z_.]+ > \\d+$|\\b(SELECT|INSERT|CREATE|UPDATE|DELETE|PRAGMA|FROM|ALTER)\\b|\\]\\]|//|== |"
        "register_module|const auto|getattr|__|\\(void\\)|return ");
    static const QRegularExpression letters("[a-z]{2}");
    const QString plain = QString(text).remove(QRegularExpression("\\{[^}]*\\}"));
    return !raw.contains("\\n") && text.trimmed().contains(' ') && plain.contains(letters) && !text.contains(code) &&
           !kNoSentences.contains(text);
}

QStringList sentencesOfTheEngine() {
    QStringList all;
    for (const QString& module : kModules) {
        QDirIterator files(QStringLiteral(PLUMBLINE_SOURCE_DIR "/engine/") + module, {"*.cpp", "*.h"}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (kOtherFiles.contains(QFileInfo(file).fileName()) || !file.open(QIODevice::ReadOnly)) {
                continue;
            }
            for (const QString& raw : literalsOf(QString::fromUtf8(file.readAll()))) {
                if (isSentence(raw) && !all.contains(unescaped(raw))) {
                    all << unescaped(raw);
                }
            }
        }
    }
    return all;
}

/// What stands between the brackets of each call of a function, brackets balanced, with the place where the call
/// begins.
QList<QPair<qsizetype, QString>> callsOf(const QString& source, const QString& function) {
    QList<QPair<qsizetype, QString>> calls;
    const QRegularExpression call(QStringLiteral("(?<![A-Za-z0-9_])%1\\(").arg(QRegularExpression::escape(function)));
    for (auto found = call.globalMatch(source); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        qsizetype at = match.capturedEnd();
        bool quoted = false;
        for (int depth = 1; at < source.size() && depth > 0; ++at) {
            const QChar each = source[at];
            quoted = each == QLatin1Char('"') && source[at - 1] != QLatin1Char('\\') ? !quoted : quoted;
            depth += quoted ? 0 : each == QLatin1Char('(') ? 1 : each == QLatin1Char(')') ? -1 : 0;
        }
        calls.append({match.capturedStart(), source.mid(match.capturedEnd(), at - match.capturedEnd() - 1)});
    }
    return calls;
}

/// Name and text of every source of the window.
QList<QPair<QString, QString>> sourcesOfTheWindow() {
    QList<QPair<QString, QString>> all;
    QDirIterator files(QStringLiteral(PLUMBLINE_SOURCE_DIR "/gui"), {"*.cpp", "*.h"}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly)) {
            all.append({QFileInfo(file).fileName(), QString::fromUtf8(file.readAll())});
        }
    }
    return all;
}

QSet<QString> knownTo(const SentenceTable& table) {
    QSet<QString> known;
    for (const SentenceTable::Sentence& sentence : table.sentences()) {
        known.insert(sentence.source);
    }
    return known;
}

SentenceTable chinese() {
    QFile file(":/i18n/sentences_zh_CN.ts");
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("no sentences");
    }
    SentenceTable table;
    table.load(file);
    return table;
}

const QRegularExpression kHan("[\\x{4e00}-\\x{9fff}]");
/// Three English words in a row: more than a name, and more than PyTorch's terms.
const QRegularExpression kEnglish("\\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\\b");

}  // namespace

class LanguageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySentenceOfTheEngineHasATranslation() {
        const SentenceTable table = chinese();
        QSet<QString> known;
        for (const SentenceTable::Sentence& sentence : table.sentences()) {
            known.insert(sentence.source);
        }
        for (const QString& help : allEngineTexts()) {
            known.insert(help);
        }
        QStringList missing;
        const QStringList all = sentencesOfTheEngine();
        QVERIFY(all.size() > 500);  // the sources were found
        for (const QString& sentence : all) {
            if (!known.contains(sentence)) {
                missing << sentence;
            }
        }
        QVERIFY2(missing.isEmpty(),
                 qPrintable("not in resources/translations/sentences_zh_CN.ts:\n" + missing.join("\n")));
    }

    /// Whatever the window shows of an error, problem, finding, remedy or fixed text goes through its translation.
    void noPlaceOfTheWindowShowsTheEnginesEnglish() {
        static const QRegularExpression said(
            "toSentence\\s*\\(|(\\.|->)(message|hint)\\b|remedy\\.title|info\\.(title|summary)|"
            "(spec|setting|threshold|entry\\.spec|spec\\(\\))\\.(help|summary|unit|group)\\b|sample\\.description");
        QStringList shown;
        int translated = 0;
        for (const auto& [name, source] : sourcesOfTheWindow()) {
            for (const char* function :
                 {"text", "QString::fromStdString", "QString::fromUtf8", "engineWord", "qPrintable"}) {
                for (const auto& [at, arguments] : callsOf(source, function)) {
                    const QString bare = QString(arguments).remove(QRegularExpression("engine(Sentence|Text)\\(.*"));
                    if (bare.contains(said)) {
                        shown << QString("%1:%2: %3(%4)")
                                     .arg(name)
                                     .arg(source.left(at).count('\n') + 1)
                                     .arg(QLatin1String(function), arguments);
                    }
                }
            }
            translated += static_cast<int>(callsOf(source, "errorSentence").size());
            for (const auto& [at, arguments] : callsOf(source, "toSentence")) {
                if (source.left(at).endsWith("engineSentence(")) {
                    ++translated;
                } else if (!QString(source.left(at)).trimmed().endsWith("std::string")) {
                    shown << QString("%1:%2: toSentence(%3)")
                                 .arg(name)
                                 .arg(source.left(at).count('\n') + 1)
                                 .arg(arguments);
                }
            }
        }
        QVERIFY(translated > 3);  // the sources were read
        shown.removeDuplicates();
        QVERIFY2(shown.isEmpty(), qPrintable(shown.join("\n")));
    }

    /// The window's own refusals are errors as the engine's are: through tr(), or in the table.
    void everyRefusalOfTheWindowHasATranslation() {
        const QSet<QString> known = knownTo(chinese());
        QStringList missing;
        int found = 0;
        for (const auto& [name, source] : sourcesOfTheWindow()) {
            for (const auto& [at, arguments] : callsOf(source, "fail")) {
                QString rest = arguments;
                for (auto inner = callsOf(rest, "tr"); !inner.isEmpty(); inner = callsOf(rest, "tr")) {
                    rest.remove(inner.first().first, inner.first().second.size() + 4);
                }
                for (const QString& raw : literalsOf(rest)) {
                    const QString sentence = unescaped(raw);
                    found += sentence.trimmed().contains(' ');
                    if (sentence.trimmed().contains(' ') && !known.contains(sentence)) {
                        missing << name + ": " + sentence;
                    }
                }
            }
        }
        QVERIFY(found > 5);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join("\n")));
    }

    void everyFailureOfTheFetchToolHasATranslation() {
        const QSet<QString> known = knownTo(chinese());
        QStringList missing;
        int found = 0;
        QDirIterator files(QStringLiteral(PLUMBLINE_SOURCE_DIR "/tools/libtorch"), {"*.py"}, QDir::Files);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (const auto& [at, arguments] : callsOf(QString::fromUtf8(file.readAll()), "FetchError")) {
                for (const QString& raw : literalsOf(arguments)) {
                    const QString sentence = unescaped(raw).replace(QRegularExpression("\\{[^}]+\\}"), "{}");
                    found += sentence.contains(' ');
                    if (sentence.contains(' ') && !known.contains(sentence)) {
                        missing << sentence;
                    }
                }
            }
        }
        QVERIFY(found > 20);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join("\n")));
    }

    void everySampleIsDescribedInChinese() {
        QTranslator translator;
        QVERIFY(translator.load(":/i18n/plumbline_zh_CN.qm"));
        const QFileInfoList folders =
            QDir(QStringLiteral(PLUMBLINE_SOURCE_DIR "/projects")).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
        QVERIFY(folders.size() >= 6);
        for (const QFileInfo& folder : folders) {
            const auto json = readJsonFile(filePath(folder.filePath()) / "project.json");
            QVERIFY2(json.has_value(), qPrintable(folder.filePath()));
            const std::string description = json->value("description", "");
            const QString told = translator.translate("Engine", description.c_str());
            QVERIFY2(description.empty() || told.contains(kHan), description.c_str());
        }
    }

    void whatTheWindowRefusesIsToldInChinese() {
        const SentenceTable table = chinese();
        for (const char* english : {"There is no block named \"conv 2\" here.",
                                    "The clipboard holds no blocks. Copy blocks on the canvas first.",
                                    "torch-2.13.whl could not be had from the package index (timed out)."}) {
            const QString told = table.translate(english);
            QVERIFY2(told.contains(kHan) && !told.contains(kEnglish), qPrintable(told));
        }
    }

    void everyTranslationNamesValuesThatAreThere() {
        const SentenceTable table = chinese();
        QStringList wrong;
        for (const SentenceTable::Sentence& sentence : table.sentences()) {
            const int values = sentence.pattern.captureCount() - sentence.firstValue + 1;
            static const QRegularExpression place("%(\\d+)");
            for (auto places = place.globalMatch(sentence.translation); places.hasNext();) {
                const int number = places.next().captured(1).toInt();
                if (number < 1 || number > values) {
                    wrong << sentence.source;
                }
            }
            const bool wordsOnly = sentence.source.contains(QRegularExpression("[A-Za-z]{3}.* .*[A-Za-z]{3}"));
            if (wordsOnly && !sentence.translation.contains(kHan) &&
                !sentence.translation.contains(QRegularExpression("%\\d|<=|\\["))) {
                wrong << sentence.source + " has no Chinese";
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
    }

    /// A sentence filled with values is not mistaken for another one.
    void everySentenceIsFoundAgainWithItsValues() {
        const SentenceTable table = chinese();
        QStringList wrong;
        for (const SentenceTable::Sentence& sentence : table.sentences()) {
            static const QRegularExpression value("\\{\\{\\{\\}\\}\\}|\\{\\{\\d+\\}\\}|\\{\\d*(:[^{}]*)?\\}");
            QString english = sentence.source.trimmed();
            QString expected = sentence.translation;
            int number = 0;
            while (english.contains(value)) {
                english.replace(english.indexOf(value), value.match(english).capturedLength(),
                                QString("v%1").arg(++number));
            }
            if (sentence.source.endsWith(' ')) {
                english += QString(" v%1").arg(++number);
            }
            for (int i = number; i >= 1; --i) {
                expected.replace(QString("%%1").arg(i), QString("v%1").arg(i));
            }
            QString got = table.translate(english.replace("{{", "{").replace("}}", "}"));
            const auto bare = [](QString text) { return text.remove(QRegularExpression("[\\x{3002}. ]")); };
            if (!expected.isEmpty() && bare(got) != bare(expected)) {
                wrong << english + "\n    is   " + got + "\n    not  " + expected;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
    }

    void problemsOfBrokenProjectsAreChinese_data() {
        QTest::addColumn<QString>("patch");
        const auto broken = [](const char* name, const char* patch) {
            QTest::newRow(name) << QString::fromUtf8(patch);
        };
        broken("channels", R"([{"op":"add","path":"/model/graph/nodes/conv/params/in_channels","value":3}])");
        broken("unknown parameter", R"([{"op":"add","path":"/model/graph/nodes/conv/params/kernel","value":3}])");
        broken("out of range", R"([{"op":"replace","path":"/model/graph/nodes/conv/params/kernel_size","value":0}])");
        broken("expression",
               "[{\"op\":\"replace\",\"path\":\"/model/graph/nodes/conv/params/out_channels\",\"value\":\"=1 // 0\"}]");
        broken("unknown type", R"([{"op":"replace","path":"/model/graph/nodes/conv/type","value":"Conv2"}])");
        broken("circle", R"([{"op":"replace","path":"/model/graph/nodes/conv/from","value":"relu"}])");
        broken("nothing connected", R"([{"op":"remove","path":"/model/graph/nodes/relu/from"}])");
        broken("no such source", R"([{"op":"replace","path":"/model/graph/nodes/relu/from","value":"cnv"}])");
        broken("kernel too large",
               R"([{"op":"replace","path":"/model/graph/nodes/conv/params/kernel_size","value":99}])");
        broken("groups", R"([{"op":"add","path":"/model/graph/nodes/conv/params/groups","value":3}])");
        broken(
            "softmax",
            R"([{"op":"add","path":"/model/graph/nodes/s","value":{"type":"Softmax","from":"fc","params":{"dim":1}}},{"op":"replace","path":"/model/graph/outputs/logits","value":"s"}])");
        broken(
            "unused",
            R"([{"op":"add","path":"/model/graph/nodes/s","value":{"type":"Linear","from":"flatten","params":{"out_features":2}}}])");
        broken("no loss", R"([{"op":"replace","path":"/training/losses","value":[]}])");
        broken("nesterov", R"([{"op":"add","path":"/training/optimizer/nesterov","value":true}])");
        broken("rate 0", R"([{"op":"replace","path":"/training/optimizer/lr","value":0}])");
        broken("unknown output", R"([{"op":"replace","path":"/training/losses/0/output","value":"logit"}])");
        broken("unknown target", R"([{"op":"replace","path":"/training/losses/0/target","value":"lable"}])");
        broken("unknown input", R"([{"op":"move","from":"/data/inputs/image","path":"/data/inputs/picture"}])");
        broken("best of nothing",
               R"([{"op":"add","path":"/training/checkpoints","value":{"best":{"series":"val.f1"}}}])");
        broken("linear", R"([{"op":"add","path":"/model/graph/nodes/fc/params/in_features","value":5}])");
        broken("weights", R"([{"op":"add","path":"/model/graph/nodes/fc/weights","value":"other"}])");
        broken(
            "pooling",
            R"([{"op":"replace","path":"/model/graph/nodes/relu","value":{"type":"MaxPool2d","from":"conv","params":{"kernel_size":50}}}])");
        broken(
            "reshape",
            R"([{"op":"replace","path":"/model/graph/nodes/flatten","value":{"type":"Reshape","from":"pool","params":{"shape":[-1,-1]}}}])");
    }

    void problemsOfBrokenProjectsAreChinese() {
        QFETCH(QString, patch);
        const auto json = applyJsonPatch(smallProject(), Json::parse(bytes(patch)));
        QVERIFY2(json.has_value(), json ? "" : json.error().message.c_str());
        auto read = project::readProject(*json, {});
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        const project::CheckReport report = project::checkProject(*read, blocks::builtinBlocks());
        QVERIFY(!report.problems.empty());
        const SentenceTable table = chinese();
        for (const graph::Problem& problem : report.problems) {
            QStringList said{text(problem.message)};
            for (const graph::Remedy& remedy : problem.remedies) {
                said << text(remedy.title);
            }
            for (const QString& english : said) {
                const QString told = table.translate(english);
                QVERIFY2(told.contains(kHan) && !told.contains(kEnglish), qPrintable(english + "\n-> " + told));
            }
        }
    }

    void errorsWithPlaceAndNextStepAreChinese() {
        const SentenceTable table = chinese();
        Json json = smallProject();
        json["trainig"] = Json::object();
        const auto project = project::readProject(json, {});
        QVERIFY(!project);
        const QString told = table.translate(text(toSentence(project.error())));
        QVERIFY2(told.contains(kHan) && !told.contains(kEnglish),
                 qPrintable(text(toSentence(project.error())) + "\n-> " + told));
        QVERIFY2(told.contains("training"), qPrintable(told));  // the value stays
    }

    void whatIsNotTheEnginesStaysAsItIs() {
        const SentenceTable table = chinese();
        for (const char* text : {"conv1", "", "A sentence that nobody wrote here", "/training/losses/0"}) {
            QCOMPARE(table.translate(text), QString(text));
        }
        QCOMPARE(SentenceTable().translate("Check the path."), QString("Check the path."));
    }

    void valuesThatArePhrasesAreTranslatedToo() {
        const SentenceTable table = chinese();
        const QString told = table.translate(
            "conv: Conv2d has kernel_size = 0; it has to be a whole number or a list of them. Correct the value.");
        QVERIFY2(told.contains(QString::fromUtf8("整数或整数的列表")), qPrintable(told));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::LanguageTest>(argc, argv);
}

#include "test_language.moc"
