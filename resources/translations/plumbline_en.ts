<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Findings</name>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n finding</numerusform>
            <numerusform>%n findings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PhaseForm</name>
    <message numerus="yes">
        <source>has the %n group(s) of training.optimizer</source>
        <translation>
            <numerusform>has the %n group of training.optimizer</numerusform>
            <numerusform>has the %n groups of training.optimizer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProbeResults</name>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) below.</source>
        <translation>
            <numerusform>%n finding below.</numerusform>
            <numerusform>%n findings below.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::CanvasAdapter</name>
    <message numerus="yes">
        <source>Move %n block(s)</source>
        <translation>
            <numerusform>Move %n block</numerusform>
            <numerusform>Move %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n block(s)</source>
        <translation>
            <numerusform>Delete %n block</numerusform>
            <numerusform>Delete %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n wire(s)</source>
        <translation>
            <numerusform>Delete %n wire</numerusform>
            <numerusform>Delete %n wires</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Paste %n block(s)</source>
        <translation>
            <numerusform>Paste %n block</numerusform>
            <numerusform>Paste %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Duplicate %n block(s)</source>
        <translation>
            <numerusform>Duplicate %n block</numerusform>
            <numerusform>Duplicate %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Group %n block(s)</source>
        <translation>
            <numerusform>Group %n block</numerusform>
            <numerusform>Group %n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ExportPage</name>
    <message numerus="yes">
        <source>%n files were written.</source>
        <translation>
            <numerusform>%n file was written.</numerusform>
            <numerusform>%n files were written.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::MatrixModel</name>
    <message numerus="yes">
        <source>true class %1, %n sample(s)</source>
        <translation>
            <numerusform>true class %1, %n sample</numerusform>
            <numerusform>true class %1, %n samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::NewFromDataDialog</name>
    <message numerus="yes">
        <source>A table of %1 rows and %n columns.</source>
        <translation>
            <numerusform>A table of %1 rows and %n column.</numerusform>
            <numerusform>A table of %1 rows and %n columns.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n classes: %1</source>
        <translation>
            <numerusform>%n class: %1</numerusform>
            <numerusform>%n classes: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ParameterPanel</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 parameter(s)</source>
        <translation>
            <numerusform>%1 parameter</numerusform>
            <numerusform>%1 parameters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::RunController</name>
    <message numerus="yes">
        <source>%n problem(s) keep this model from running.</source>
        <translation>
            <numerusform>%n problem keeps this model from running.</numerusform>
            <numerusform>%n problems keep this model from running.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::RunProfileDialog</name>
    <message numerus="yes">
        <source>Looking at the next %n step(s)…</source>
        <translation>
            <numerusform>Looking at the next step…</numerusform>
            <numerusform>Looking at the next %n steps…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::RunsPage</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete these %n runs with their checkpoints?</source>
        <translation>
            <numerusform>Delete this run with its checkpoints?</numerusform>
            <numerusform>Delete these %n runs with their checkpoints?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::SettingForm</name>
    <message numerus="yes">
        <source>epoch(s)</source>
        <translation>
            <numerusform>epoch</numerusform>
            <numerusform>epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>step(s)</source>
        <translation>
            <numerusform>step</numerusform>
            <numerusform>steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sample(s)</source>
        <translation>
            <numerusform>sample</numerusform>
            <numerusform>samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>thread(s)</source>
        <translation>
            <numerusform>thread</numerusform>
            <numerusform>threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>batch(es)</source>
        <translation>
            <numerusform>batch</numerusform>
            <numerusform>batches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::StatusPanel</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 parameter(s)</source>
        <translation>
            <numerusform>%1 parameter</numerusform>
            <numerusform>%1 parameters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::SweepDialog</name>
    <message numerus="yes">
        <source>Trials at a time; they share the %n processor core(s)</source>
        <translation>
            <numerusform>Trials at a time; they share the %n processor core</numerusform>
            <numerusform>Trials at a time; they share the %n processor cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::TrialModel</name>
    <message numerus="yes">
        <source>%1 of %n trial(s) finished</source>
        <translation>
            <numerusform>%1 of %n trial finished</numerusform>
            <numerusform>%1 of %n trials finished</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n running</numerusform>
            <numerusform>%n running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stopped</source>
        <translation>
            <numerusform>%n stopped</numerusform>
            <numerusform>%n stopped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::BarChart</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::CanvasView</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::FlameChart</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::PlotWidget</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n value(s) not finite</source>
        <translation>
            <numerusform>, %n value not finite</numerusform>
            <numerusform>, %n values not finite</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s)</source>
        <translation>
            <numerusform>%n mark</numerusform>
            <numerusform>%n marks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) skipped</source>
        <translation>
            <numerusform>%n step skipped</numerusform>
            <numerusform>%n steps skipped</numerusform>
        </translation>
    </message>
</context>
</TS>
