// SPDX-License-Identifier: GPL-3.0-or-later
// Draws every widget in light and dark into the folder given: to look at, not to compare.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QStandardItemModel>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <cstdio>

#include "graph_model.h"
#include "widgets/bar_chart.h"
#include "widgets/canvas_list.h"
#include "widgets/canvas_view.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "widgets/flame_chart.h"
#include "widgets/form_widget.h"
#include "widgets/icons.h"
#include "widgets/image_grid.h"
#include "widgets/labels.h"
#include "widgets/message_banner.h"
#include "widgets/number_tile.h"
#include "widgets/parallel_plot.h"
#include "widgets/plot_widget.h"
#include "widgets/search_popup.h"

using namespace plumbline::widgets;

namespace {

QString folder;
QString mode;

void shoot(QWidget& widget, const QString& name, const QSize& size) {
    widget.resize(size);
    widget.show();
    for (int i = 0; i < 20; ++i)
        QApplication::processEvents(QEventLoop::AllEvents, 10);
    widget.grab().save(QDir(folder).filePath(QStringLiteral("%1-%2.png").arg(name, mode)));
}

void drawPlots() {
    QWidget page;
    auto* layout = new QGridLayout(&page);
    QRandomGenerator random(1);
    std::vector<double> steps, train, rate, scale, valSteps, val;
    for (int i = 0; i < 3000; ++i) {
        steps.push_back(i);
        train.push_back(2.3 * std::exp(-i / 700.0) + 0.1 + 0.25 * random.generateDouble());
        rate.push_back(0.01 * (1 + std::cos(i / 3000.0 * 3.1416)) / 2);
        scale.push_back(65536.0 / (1 + i / 1000));
        if (i % 300 == 299) {
            valSteps.push_back(i);
            val.push_back(2.3 * std::exp(-i / 700.0) + 0.25);
        }
    }
    train[1500] = NAN;
    PlotGroup group;
    auto* loss = new PlotWidget;
    loss->setTitle(QStringLiteral("Loss"));
    loss->setYLabel(QStringLiteral("cross entropy (nats)"));
    loss->addSeries({.id = "train.loss", .name = "train", .curve = 0});
    loss->addSeries(
        {.id = "val.loss", .name = "validation", .curve = 1, .style = Qt::DashLine, .smooth = false, .points = true});
    loss->append("train.loss", steps, train);
    loss->append("val.loss", valSteps, val);
    loss->setSmoothing(0.95);
    loss->setEpochStarts({0, 300, 600, 900, 1200, 1500, 1800, 2100, 2400, 2700});
    loss->setMarks({{"f1", 900, Severity::Warning, "loader waits 38 % of step time"},
                    {"f2", 1500, Severity::Critical, "Loss is NaN"}});
    loss->appendSkippedSteps(std::vector<double>{400, 2000, 2100});
    loss->setPanelButtonsVisible(true);
    auto* rates = new PlotWidget;
    rates->setTitle(QStringLiteral("Learning rate and loss scale"));
    rates->setYLabel(QStringLiteral("lr"));
    rates->setYLabel(QStringLiteral("scale"), PlotSide::Right);
    rates->addSeries({.id = "lr", .curve = 2, .smooth = false});
    rates->addSeries({.id = "scaler.scale",
                      .name = "scale",
                      .curve = 3,
                      .style = Qt::DashLine,
                      .side = PlotSide::Right,
                      .smooth = false});
    rates->append("lr", steps, rate);
    rates->append("scaler.scale", steps, scale);
    auto* many = new PlotWidget;
    many->setTitle(QStringLiteral("Gradient norm by block"));
    many->setYLog(true);
    for (int series = 0; series < 12; ++series) {
        std::vector<double> norms;
        for (int i = 0; i < 3000; ++i)
            norms.push_back(std::pow(10, -series / 3.0) * (1 + random.generateDouble()));
        many->append(QStringLiteral("grad.norm/block%1").arg(series), steps, norms);
    }
    auto* empty = new PlotWidget;
    empty->setTitle(QStringLiteral("Throughput"));
    empty->setEmptyText(QStringLiteral("No run yet. Press F5 to train this model."));
    for (PlotWidget* plot : {loss, rates, many, empty})
        group.add(plot);
    layout->addWidget(loss, 0, 0);
    layout->addWidget(rates, 0, 1);
    layout->addWidget(many, 1, 0);
    layout->addWidget(empty, 1, 1);
    page.resize(1200, 700);
    page.show();
    QApplication::processEvents();
    for (PlotWidget* plot : {loss, rates, many, empty}) {
        plot->replotNow();
        plot->showCursor(1200);
    }
    many->setTableVisible(true);
    shoot(page, QStringLiteral("plots"), {1200, 700});
    loss->exportTo(QDir(folder).filePath(QStringLiteral("export-%1.png").arg(mode)));
    loss->exportTo(QDir(folder).filePath(QStringLiteral("export-%1.svg").arg(mode)));
}

void fillNetwork(GraphModel& model) {
    struct Block {
        const char *id, *type, *details, *shape;
        BlockCategory category;
    };
    const Block blocks[] = {{"input", "Input", "float32", "B×1×8×8", BlockCategory::InputOutput},
                            {"conv1", "Conv2d", "16, k3 s1 p1", "B×16×8×8", BlockCategory::Convolution},
                            {"norm1", "BatchNorm2d", "", "B×16×8×8", BlockCategory::Normalisation},
                            {"act1", "ReLU", "", "B×16×8×8", BlockCategory::Activation},
                            {"block1", "ConvBlock", "channels 32", "B×32×4×4", BlockCategory::Composite},
                            {"add", "Add", "", "B×32×4×4", BlockCategory::Merge},
                            {"drop", "Dropout", "p 0.1", "B×32×4×4", BlockCategory::Regularisation},
                            {"lstm", "LSTM", "64, 2 layers", "B×T×64", BlockCategory::Recurrent},
                            {"pool", "MaxPool2d", "k2 s2", "B×16×4×4", BlockCategory::Pooling},
                            {"head", "Linear", "10", "B×10", BlockCategory::Linear},
                            {"custom", "Plugin", "", "", BlockCategory::Plugin}};
    for (const Block& block : blocks) {
        auto& node = model.add(QLatin1String(block.id), {});
        node.type = QLatin1String(block.type);
        node.details = QLatin1String(block.details);
        node.shape = QString::fromUtf8(block.shape);
        node.category = block.category;
    }
    model.find("block1")->composite = true;
    model.find("drop")->enabled = false;
    model.find("lstm")->badge = Severity::Warning;
    model.find("head")->badge = Severity::Critical;
    model.find("conv1")->fill = 0.7;
    model.find("conv1")->fillText = QStringLiteral("0.31");
    model.find("norm1")->fill = 0.2;
    model.find("norm1")->fillText = QStringLiteral("0.09");
    model.find("add")->inputs = {{QStringLiteral("a"), false, true}, {QStringLiteral("b"), true, false}};
    const char* order[] = {"input", "conv1", "norm1", "act1", "block1", "add", "drop", "lstm", "head"};
    for (std::size_t i = 1; i < std::size(order); ++i)
        model.link(QLatin1String(order[i - 1]), QLatin1String(order[i]));
    model.link("act1", "pool");
    model.edgeList.append(
        {{"pool", 0, true}, {"add", 1, false}, QStringLiteral("B×16×4×4"), true, "expects 32 channels"});
    const auto places = canvasLayout(model.nodeList, model.edgeList);
    for (auto& node : model.nodeList)
        node.position = places.value(node.id);
}

void drawCanvas() {
    GraphModel model;
    fillNetwork(model);
    CanvasView view;
    view.setModel(&model);
    view.resize(1200, 500);
    view.show();
    view.setSelectedNodes({"act1"});
    view.setHighlighted({"head"});
    shoot(view, QStringLiteral("canvas-fit"), {1200, 500});
    view.setZoom(1);
    view.reveal("conv1");
    shoot(view, QStringLiteral("canvas-detail"), {1200, 500});
    GraphModel large;
    fillChains(large, 1000, 40);
    CanvasView overview;
    overview.setModel(&large);
    shoot(overview, QStringLiteral("canvas-large"), {1200, 600});
    CanvasList list;
    list.follow(&view);
    list.resizeColumnsToContents();
    shoot(list, QStringLiteral("canvas-list"), {800, 320});
}

void drawForm() {
    FormWidget form;
    QList<FieldSpec> fields;
    const auto add = [&](const QString& path, FieldType type, const QJsonValue& value,
                         const QString& group) -> FieldSpec& {
        FieldSpec spec;
        spec.path = path;
        spec.type = type;
        spec.defaultValue = value;
        spec.group = group;
        fields.append(spec);
        return fields.last();
    };
    add("in_channels", FieldType::Integer, QJsonValue::Undefined, "Conv2d").placeholder = "16 (from conv1)";
    add("out_channels", FieldType::Integer, QJsonValue::Undefined, "Conv2d").allowsExpression = true;
    add("kernel_size", FieldType::List, 3, "Conv2d");
    FieldSpec& bias = add("bias", FieldType::Boolean, true, "Conv2d");
    bias.allowsExpression = true;
    FieldSpec& padding = add("padding_mode", FieldType::Choice, "zeros", "Conv2d");
    padding.choices = {{"zeros", {}, {}}, {"reflect", {}, {}}, {"replicate", {}, {}}};
    FieldSpec& rate = add("optimizer.lr", FieldType::Real, 0.001, "Optimizer");
    rate.applies = "applies at once, also while a run goes on";
    FieldSpec& decay = add("optimizer.weight_decay", FieldType::Real, 0, "Optimizer");
    decay.enabled = false;
    decay.disabledReason = "needs AdamW";
    add("wait", FieldType::Integer, 30, "Optimizer").unit = "s";
    add("data.folder", FieldType::Path, "data", "Optimizer").directory = true;
    add("options", FieldType::Json, QJsonValue::Undefined, "Optimizer").optional = true;
    form.setFields(fields);
    form.setValues({{"out_channels", "=channels * 2"}, {"kernel_size", 5}, {"bias", false}, {"optimizer.lr", 0.1}});
    form.setProblems(
        {{"out_channels",
          {Severity::Critical,
           "conv2 expects 32 channels and gets 16 from block1. Set in_channels to 16, or connect a block with 32."}},
         {"optimizer.lr", {Severity::Warning, "0.1 is large for Adam."}}});
    shoot(form, QStringLiteral("form"), {320, 640});
}

void drawSmall() {
    QWidget page;
    auto* layout = new QVBoxLayout(&page);
    auto* banner = new MessageBanner;
    auto* second = new MessageBanner;
    layout->addWidget(banner);
    layout->addWidget(second);
    auto* tiles = new QHBoxLayout;
    for (const auto& [caption, value, unit, note, severity] :
         {std::tuple("Accuracy", "0.9861", "", "validation, epoch 12", Severity::Good),
          std::tuple("Step time", "2.31", "ms", "loader 0.11 ms", Severity::None),
          std::tuple("Memory", "214", "MB", "of 512 MB", Severity::Warning),
          std::tuple("Loss scale", "", "", "", Severity::None)}) {
        auto* tile = new NumberTile(QString::fromUtf8(caption));
        tile->setValue(QString::fromUtf8(value), QString::fromUtf8(unit));
        tile->setNote(QString::fromUtf8(note));
        tile->setSeverity(severity);
        if (*value)
            for (int i = 0; i < 60; ++i)
                tile->appendHistory(std::sin(i / 7.0) + i / 30.0);
        tiles->addWidget(tile);
    }
    layout->addLayout(tiles);
    auto* chips = new QHBoxLayout;
    for (const auto& [severity, text] : {std::pair(Severity::Critical, "2 critical"),
                                         std::pair(Severity::Warning, "1 warning"), std::pair(Severity::Info, "note"),
                                         std::pair(Severity::Good, "completed"), std::pair(Severity::None, "idle")}) {
        auto* chip = new StatusChip;
        chip->setStatus(severity, QString::fromUtf8(text));
        chips->addWidget(chip);
    }
    auto* elided =
        new ElidedLabel(QStringLiteral("/home/someone/a/very/long/path/to/a/project/digits-cnn/project.json"));
    elided->setElideMode(Qt::ElideMiddle);
    chips->addWidget(elided);
    layout->addLayout(chips);
    auto* controls = new QHBoxLayout;
    auto* primary = new QPushButton(icon("run"), "Run");
    primary->setDefault(true);
    auto* disabled = new QPushButton("Resume");
    disabled->setEnabled(false);
    auto* combo = new QComboBox;
    combo->addItems({"cpu", "cuda:0"});
    auto* checked = new QCheckBox("deterministic");
    checked->setChecked(true);
    auto* tool = new QToolButton;
    tool->setIcon(icon("stop"));
    for (QWidget* widget : std::initializer_list<QWidget*>{primary, new QPushButton("Pause"), disabled, combo, checked,
                                                           new QCheckBox("nesterov"), new QLineEdit("text"), tool})
        controls->addWidget(widget);
    layout->addLayout(controls);
    auto* row = new QHBoxLayout;
    auto* bars = new BarChart;
    bars->setTitle("Classes");
    bars->setUnit("samples");
    bars->setBars({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
                  {{"train", {143, 146, 142, 146, 145, 145, 145, 143, 139, 144}, 0},
                   {"test", {35, 36, 35, 37, 36, 37, 36, 36, 35, 36}, 1}});
    auto* histogram = new BarChart;
    histogram->setTitle("Weights of conv1");
    std::vector<double> counts;
    for (int i = 0; i < 40; ++i)
        counts.push_back(1000 * std::exp(-(i - 20) * (i - 20) / 60.0));
    histogram->setHistogram(-0.5, 0.5, counts);
    row->addWidget(bars);
    row->addWidget(histogram);
    layout->addLayout(row);
    auto* flame = new FlameChart;
    flame->setSpans({{"Forward", "Forward: 4 ms", 0, 0, 4, 0},
                     {"Backward", "Backward: 6 ms", 0, 4, 6, 2},
                     {"conv", "conv, forward: 3 ms", 1, 0, 3, 0, "conv"},
                     {"fc", "fc, forward: 1 ms", 1, 3, 1, 0, "fc"},
                     {"fc", "fc, backward: 2 ms", 1, 4, 2, 2, "fc"},
                     {"conv", "conv, backward: 4 ms", 1, 6, 4, 2, "conv"}},
                    10);
    layout->addWidget(flame);
    auto* grid = new ImageGrid;
    std::vector<GridImage> images;
    QRandomGenerator random(2);
    for (int i = 0; i < 16; ++i) {
        QImage image(8, 8, QImage::Format_Grayscale8);
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x)
                image.scanLine(y)[x] = static_cast<uchar>(random.bounded(256));
        images.push_back({image, QString::number(i % 10), {}, i == 3 ? Severity::Critical : Severity::None});
    }
    grid->setImages(images);
    grid->setCurrentImage(1);
    layout->addWidget(grid);
    banner->showMessage(Severity::Critical, "conv2 expects 32 channels and gets 16 from block1.",
                        "Set in_channels to 16, or connect a block with 32.", "Set in_channels to 16");
    second->showMessage(Severity::Good, "Run 12 completed: accuracy 0.9861 on the test split.");
    shoot(page, QStringLiteral("small"), {900, 720});
}

void drawParallel() {
    ParallelContent content;
    content.axes = {{"optimizer.lr", "lr", {}, 1e-4, 1e-1, true},
                    {"optimizer.type", "type", {}, 0, 1, false, {"SGD", "AdamW", "Lion"}},
                    {"loader.batch_size", "batch_size", {}, 16, 128, false, {}, {16, 32, 64, 128}},
                    {"optimizer.weight_decay", "weight_decay", {}, 0, 0.1},
                    {"val.loss", "loss", {}, 0.08, 2.1}};
    QRandomGenerator random(3);
    const std::vector<double> sizes{16, 32, 64, 128};
    for (int i = 0; i < 60; ++i) {
        const double lr = std::pow(10, -4 + 3 * random.generateDouble()), type = random.bounded(3),
                     decay = 0.1 * random.generateDouble();
        const double loss =
            i % 17 == 3 ? NAN : 0.08 + std::min(2.0, std::pow(std::log10(lr / 0.01), 2) * 0.5 + 0.2 * type + decay);
        content.lines.push_back({i, QString("trial %1").arg(i), {lr, type, sizes[random.bounded(4)], decay, loss}});
        if (!std::isnan(loss) &&
            (content.best < 0 || loss < content.lines[static_cast<std::size_t>(content.best)].values.back()))
            content.best = i;
    }
    QWidget page;
    auto* layout = new QVBoxLayout(&page);
    for (const bool ranged : {false, true}) {
        auto* plot = new ParallelPlot;
        plot->setContent(content);
        plot->setSelectedLines({7});
        plot->setHoveredLine(12);
        if (ranged)
            plot->setRange(0, ParallelPlot::Range(0.5, 0.8));
        layout->addWidget(plot, 1);
    }
    shoot(page, QStringLiteral("parallel"), {900, 720});
}

void drawTablesAndPopups() {
    QStandardItemModel model(0, 4);
    model.setHorizontalHeaderLabels({"run", "state", "accuracy", "note"});
    for (int i = 0; i < 8; ++i) {
        QList<QStandardItem*> items;
        for (const QVariant& value : {QVariant(i + 1), QVariant(i % 3 ? "completed" : "stopped"),
                                      QVariant(0.9 + i / 100.0), QVariant(i == 2 ? "lower rate" : "")}) {
            items.append(new QStandardItem);
            items.last()->setData(value, Qt::EditRole);
        }
        model.appendRow(items);
    }
    FilterTable table;
    table.setModel(&model);
    table.selectRow(2);
    shoot(table, QStringLiteral("table"), {560, 300});
    QuickSearchPopup popup;
    QList<SearchEntry> entries;
    for (const auto& [name, category] :
         {std::pair("Conv2d", BlockCategory::Convolution), std::pair("Linear", BlockCategory::Linear),
          std::pair("MaxPool2d", BlockCategory::Pooling), std::pair("BatchNorm2d", BlockCategory::Normalisation),
          std::pair("ReLU", BlockCategory::Activation)}) {
        SearchEntry entry;
        entry.id = entry.title = QLatin1String(name);
        entry.subtitle = categoryName(category);
        entry.icon = categoryIcon(category);
        entry.enabled = entry.id != "MaxPool2d";
        entries.append(entry);
    }
    popup.setBlocks(entries);
    popup.popupAt({0, 0});
    popup.grab().save(QDir(folder).filePath(QStringLiteral("popup-%1.png").arg(mode)));
    popup.hide();
    EmptyState empty(QStringLiteral("runs"), QStringLiteral("No runs yet. Press F5 to train this model."),
                     QStringLiteral("Train"));
    empty.setDetail(QStringLiteral("Runs stay in the project's folder."));
    shoot(empty, QStringLiteral("empty"), {600, 320});
    QWidget icons;
    auto* layout = new QGridLayout(&icons);
    int index = 0;
    for (const QString& name : iconNames()) {
        auto* label = new QLabel;
        label->setPixmap(icon(name).pixmap(QSize(24, 24)));
        auto* text = new QLabel(name);
        text->setFont(Theme::instance().smallFont());
        layout->addWidget(label, index / 8, 2 * (index % 8));
        layout->addWidget(text, index / 8, 2 * (index % 8) + 1);
        ++index;
    }
    shoot(icons, QStringLiteral("icons"), {1200, 420});
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (argc != 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1]))) {
        std::fputs("usage: widgets_gallery FOLDER\n", stderr);
        return 2;
    }
    folder = QString::fromLocal8Bit(argv[1]);
    for (const ThemeMode theme : {ThemeMode::Light, ThemeMode::Dark}) {
        mode = theme == ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
        if (theme == ThemeMode::Light)
            Theme::instance().install(application, theme);
        else
            Theme::instance().setMode(theme);
        drawPlots();
        drawCanvas();
        drawForm();
        drawSmall();
        drawParallel();
        drawTablesAndPopups();
    }
    return 0;
}
