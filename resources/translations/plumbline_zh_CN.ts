<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>BlockFields</name>
    <message>
        <source>Set %1 of %2</source>
        <translation>设置 %2 的 %1</translation>
    </message>
    <message>
        <source>There is no block named &quot;%1&quot; here.</source>
        <translation>这里没有名为“%1”的模块。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has no output named &quot;%2&quot;.</source>
        <translation>“%1”没有名为“%2”的输出。</translation>
    </message>
    <message>
        <source>The input %1 takes one block, not %2.</source>
        <translation>输入 %1 只接受一个模块，而不是 %2 个。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot name a parameter.</source>
        <translation>“%1”不能作为参数名。</translation>
    </message>
    <message>
        <source>Write a name and a default, as channels = 16.</source>
        <translation>写出名称和默认值，例如 channels = 16。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot name this composite, or is taken.</source>
        <translation>“%1”不能作为此复合模块的名称，或已被占用。</translation>
    </message>
    <message>
        <source>There is a parameter named &quot;%1&quot; already.</source>
        <translation>已有名为“%1”的参数。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>%1 (from the input)</source>
        <translation>%1（由输入得出）</translation>
    </message>
    <message>
        <source>follows from the input</source>
        <translation>由输入得出</translation>
    </message>
    <message>
        <source>has to be given</source>
        <translation>必须填写</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>The block this comes from: its name, or name.output. Empty leaves it open.</source>
        <translation>来源模块：其名称，或“名称.输出”。留空则不连接。</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>comes from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>The blocks these come from, with commas.</source>
        <translation>来源模块，以逗号分隔。</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>open</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Behaviour</source>
        <translation>行为</translation>
    </message>
    <message>
        <source>enabled</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>A disabled block passes its first input through. May be an expression: =dropout &gt; 0.</source>
        <translation>停用的模块直接传递第一个输入。可以写表达式：=dropout &gt; 0。</translation>
    </message>
    <message>
        <source>repeat</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Makes a chain of this many; parameters may use index.</source>
        <translation>串成这么多个的链；参数中可使用 index。</translation>
    </message>
    <message>
        <source>once</source>
        <translation>一次</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>Its parameters get no gradient.</source>
        <translation>其参数不计算梯度。</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Whether it follows the model&apos;s train and eval modes.</source>
        <translation>是否跟随模型的 train 与 eval 模式。</translation>
    </message>
    <message>
        <source>follows the model</source>
        <translation>跟随模型</translation>
    </message>
    <message>
        <source>stays in eval</source>
        <translation>保持 eval</translation>
    </message>
    <message>
        <source>stays in train</source>
        <translation>保持 train</translation>
    </message>
    <message>
        <source>initialisation</source>
        <translation>初始化</translation>
    </message>
    <message>
        <source>PyTorch&apos;s default</source>
        <translation>PyTorch 默认</translation>
    </message>
    <message>
        <source>weights of</source>
        <translation>共享权重</translation>
    </message>
    <message>
        <source>Shares the parameters of this block of the same graph.</source>
        <translation>与同一图中的该模块共享参数。</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>自有</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>A remark for people.</source>
        <translation>给人看的说明。</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Letters, digits and _; part of the names of its parameters.</source>
        <translation>字母、数字和 _；是其参数名的一部分。</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Dimensions with commas; B is the batch, other words are symbols.</source>
        <translation>维度以逗号分隔；B 为批大小，其他词为符号。</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>Here: %1</source>
        <translation>此处：%1</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>description</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Composite</source>
        <translation>复合模块</translation>
    </message>
    <message>
        <source>help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>One line on what it does.</source>
        <translation>用一行说明它的作用。</translation>
    </message>
    <message>
        <source>Its parameters, with defaults</source>
        <translation>其参数及默认值</translation>
    </message>
    <message>
        <source>add a parameter</source>
        <translation>添加参数</translation>
    </message>
    <message>
        <source>Name and default, as channels = 16. Blocks inside use it as =channels.</source>
        <translation>名称和默认值，例如 channels = 16。内部模块以 =channels 使用。</translation>
    </message>
    <message>
        <source>remove a parameter</source>
        <translation>移除参数</translation>
    </message>
    <message>
        <source>How the weights start.</source>
        <translation>权重的初始值如何产生。</translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>The picture could not be written to %1.</source>
        <translation>图片无法写入 %1。</translation>
    </message>
    <message>
        <source>The training workbench that tells you when your model is silently wrong.</source>
        <translation>会告诉您模型何时悄悄出错的训练工作台。</translation>
    </message>
    <message>
        <source>A project folder or its project.json.</source>
        <translation>项目文件夹或其中的 project.json。</translation>
    </message>
    <message>
        <source>Page to show: welcome, model, data, train, runs, sweeps, export.</source>
        <translation>要显示的页面：welcome、model、data、train、runs、sweeps、export。</translation>
    </message>
    <message>
        <source>Run to show: an id, latest or best.</source>
        <translation>要显示的运行：编号、latest 或 best。</translation>
    </message>
    <message>
        <source>Draw the window into this picture and end.</source>
        <translation>把窗口画到该图片中，然后结束。</translation>
    </message>
    <message>
        <source>Size of the picture, as 1400x900.</source>
        <translation>图片的大小，例如 1400x900。</translation>
    </message>
    <message>
        <source>Language: en or zh_CN.</source>
        <translation>语言：en 或 zh_CN。</translation>
    </message>
    <message>
        <source>Appearance: light, dark or system.</source>
        <translation>外观：light、dark 或 system。</translation>
    </message>
    <message>
        <source>Print the monotonic clock once the window is drawn, and end: for measuring the start.</source>
        <translation>窗口画好后打印单调时钟并结束：用于测量启动时间。</translation>
    </message>
    <message>
        <source>%1 See plumbline-gui --help.</source>
        <translation>%1 请参阅 plumbline-gui --help。</translation>
    </message>
    <message>
        <source>One project can be opened, %1 were given.</source>
        <translation>只能打开一个项目，却给出了 %1 个。</translation>
    </message>
    <message>
        <source>--theme takes light, dark or system, not &quot;%1&quot;.</source>
        <translation>--theme 只接受 light、dark 或 system，不接受 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>--size takes a width and a height from 320x240 to 8192x8192, as 1400x900, not &quot;%1&quot;.</source>
        <translation>--size 接受从 320x240 到 8192x8192 的宽和高，例如 1400x900，不接受 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>%1 could not be opened.</source>
        <translation>无法打开 %1。</translation>
    </message>
    <message>
        <source>There is no page &quot;%1&quot;, or it needs a project.</source>
        <translation>没有页面 &quot;%1&quot;，或者它需要一个项目。</translation>
    </message>
    <message>
        <source>No project is open.</source>
        <translation>没有打开的项目。</translation>
    </message>
</context>
<context>
    <name>ConnectionCheck</name>
    <message>
        <source>%1 comes before %2: this wire would make a loop.</source>
        <translation>%1 在 %2 之前：这条连线会形成环路。</translation>
    </message>
</context>
<context>
    <name>Evidence</name>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>允许值</translation>
    </message>
    <message>
        <source>Steps applied</source>
        <translation>已更新的步数</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>BatchNorm statistics moved</source>
        <translation>BatchNorm 统计发生变化</translation>
    </message>
    <message>
        <source>Block type</source>
        <translation>模块类型</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Blocks in eval mode</source>
        <translation>处于 eval 模式的模块</translation>
    </message>
    <message>
        <source>Blocks in training mode</source>
        <translation>处于训练模式的模块</translation>
    </message>
    <message>
        <source>Steps skipped in a row</source>
        <translation>连续跳过的步数</translation>
    </message>
    <message>
        <source>Allowed in a row</source>
        <translation>允许的连续次数</translation>
    </message>
    <message>
        <source>One class for every sample</source>
        <translation>所有样本同一类别</translation>
    </message>
    <message>
        <source>Values that are NaN or infinite</source>
        <translation>NaN 或无穷的值</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>元素类型</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>应为</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>99 % interval of the accuracy</source>
        <translation>准确率的 99 % 区间</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Fall of the loss</source>
        <translation>损失的下降</translation>
    </message>
    <message>
        <source>Looked at from a fall of</source>
        <translation>下降达到此值后检查</translation>
    </message>
    <message>
        <source>Share of the largest class</source>
        <translation>最大类别的份额</translation>
    </message>
    <message>
        <source>Median share of waiting</source>
        <translation>等待份额的中位数</translation>
    </message>
    <message>
        <source>Smallest loss scale allowed</source>
        <translation>允许的最小损失缩放</translation>
    </message>
    <message>
        <source>No batch for</source>
        <translation>没有批次的时间</translation>
    </message>
    <message>
        <source>Accuracy of guessing</source>
        <translation>随机猜测的准确率</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Parameters frozen</source>
        <translation>参数已冻结</translation>
    </message>
    <message>
        <source>Shape of the prediction</source>
        <translation>预测的形状</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Running statistics moved</source>
        <translation>滑动统计发生变化</translation>
    </message>
    <message>
        <source>This step</source>
        <translation>本步</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Shape of the target</source>
        <translation>目标的形状</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Scaler updated</source>
        <translation>缩放器已更新</translation>
    </message>
    <message>
        <source>Waited for the batch</source>
        <translation>等待批次</translation>
    </message>
    <message>
        <source>Found in</source>
        <translation>发现于</translation>
    </message>
    <message>
        <source>Steps looked at</source>
        <translation>检查的步数</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另外 %1 个</translation>
    </message>
</context>
<context>
    <name>FieldText</name>
    <message>
        <source>%1 has to be at least %2%4, and is %3.</source>
        <translation>%1 至少应为 %2%4，现为 %3。</translation>
    </message>
    <message>
        <source>%1 can be at most %2%4, and is %3.</source>
        <translation>%1 至多为 %2%4，现为 %3。</translation>
    </message>
    <message>
        <source>%1 takes a whole number, not &quot;%2&quot;.</source>
        <translation>%1 需要整数，而不是“%2”。</translation>
    </message>
    <message>
        <source>%1 takes a number such as 0.001 or 1e-3, not &quot;%2&quot;.</source>
        <translation>%1 需要数字，例如 0.001 或 1e-3，而不是“%2”。</translation>
    </message>
    <message>
        <source>%1 takes no expression here.</source>
        <translation>%1 在此不接受表达式。</translation>
    </message>
    <message>
        <source>%1 is not a list: %2. Write values with commas, such as 3, 3.</source>
        <translation>%1 不是列表：%2。以逗号分隔数值，例如 3, 3。</translation>
    </message>
    <message>
        <source>%1 has an empty place between commas.</source>
        <translation>%1 的逗号之间有空项。</translation>
    </message>
    <message>
        <source>%1 needs a value.</source>
        <translation>%1 需要一个值。</translation>
    </message>
    <message>
        <source>%1 is true or false, not &quot;%2&quot;.</source>
        <translation>%1 只能为 true 或 false，而不是“%2”。</translation>
    </message>
    <message>
        <source>%1 has no choice &quot;%2&quot;.</source>
        <translation>%1 没有选项“%2”。</translation>
    </message>
    <message>
        <source>%1 is not JSON: %2.</source>
        <translation>%1 不是 JSON：%2。</translation>
    </message>
    <message>
        <source>%1 takes a number, or an expression that starts with &quot;=&quot;: =%2.</source>
        <translation>%1 需要数字，或以“=”开头的表达式：=%2。</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n 个发现</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HelpViewer</name>
    <message>
        <source>Documentation</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>All pages</source>
        <translation>所有页面</translation>
    </message>
</context>
<context>
    <name>ListSetting</name>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>metric %1</source>
        <translation>指标 %1</translation>
    </message>
    <message>
        <source>frozen %1</source>
        <translation>冻结 %1</translation>
    </message>
    <message>
        <source>phase %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>分组 %1</translation>
    </message>
    <message>
        <source>Add a loss</source>
        <translation>添加损失</translation>
    </message>
    <message>
        <source>Add a metric</source>
        <translation>添加指标</translation>
    </message>
    <message>
        <source>Add frozen parameters</source>
        <translation>添加冻结的参数</translation>
    </message>
    <message>
        <source>Add a phase</source>
        <translation>添加阶段</translation>
    </message>
    <message>
        <source>Add a group</source>
        <translation>添加分组</translation>
    </message>
    <message>
        <source>All there are have been added.</source>
        <translation>已经全部添加。</translation>
    </message>
    <message>
        <source>Detectors</source>
        <translation>检测器</translation>
    </message>
</context>
<context>
    <name>PackageTrust</name>
    <message>
        <source>The package is trusted. Once it changes, it is asked about again.</source>
        <translation>已信任该编译包。它一旦改变，会再次询问。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Trust this package?</source>
        <translation>信任这个编译包吗？</translation>
    </message>
    <message>
        <source>%1 is native code: while a run goes on it may do all that you may do, with your files and your network.</source>
        <translation>%1 是原生代码：运行进行时，它可以做您能做的一切，包括动用您的文件和网络。</translation>
    </message>
    <message>
        <source>Trust it only if you know where it comes from.

Block: %1
Size: %2
SHA-256: %3</source>
        <translation>只有在清楚其来源时才信任它。

模块：%1
大小：%2
SHA-256：%3</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>信任</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>PhaseForm</name>
    <message numerus="yes">
        <source>has the %n group(s) of training.optimizer</source>
        <translation>
            <numerusform>采用 training.optimizer 的 %n 个组</numerusform>
        </translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>Whether the phase minimises this loss. Each loss has one phase.</source>
        <translation>该阶段是否使此损失最小。每个损失属于一个阶段。</translation>
    </message>
    <message>
        <source>Phase %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Phase %1: %2</source>
        <translation>阶段 %1：%2</translation>
    </message>
</context>
<context>
    <name>PlannedRate</name>
    <message>
        <source>%1, planned</source>
        <translation>%1（计划）</translation>
    </message>
    <message>
        <source>%1, planned until validations decide</source>
        <translation>%1（计划，直到由验证决定）</translation>
    </message>
</context>
<context>
    <name>ProbeResults</name>
    <message>
        <source>There is no point to draw.</source>
        <translation>没有可画的点。</translation>
    </message>
    <message>
        <source>No detector found anything.</source>
        <translation>没有检测器发现任何问题。</translation>
    </message>
    <message>
        <source>The page about %1 is not installed.</source>
        <translation>关于 %1 的页面没有安装。</translation>
    </message>
    <message>
        <source>Training batch</source>
        <translation>训练批次</translation>
    </message>
    <message>
        <source>Waiting for the loader</source>
        <translation>等待加载器</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Validation batch</source>
        <translation>验证批次</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>none: the split is empty</source>
        <translation>无：该划分为空</translation>
    </message>
    <message>
        <source>Steps in an epoch</source>
        <translation>一轮的步数</translation>
    </message>
    <message>
        <source>An epoch, about</source>
        <translation>一轮约</translation>
    </message>
    <message>
        <source>The run, about</source>
        <translation>整个运行约</translation>
    </message>
    <message>
        <source>Tensors at most</source>
        <translation>张量最多</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>Prefetched batches</source>
        <translation>预取的批次</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Forward (ms)</source>
        <translation>前向（毫秒）</translation>
    </message>
    <message>
        <source>Keeps</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Blocks by memory</source>
        <translation>按内存排列的模块</translation>
    </message>
    <message>
        <source>What a run will take</source>
        <translation>运行将需要什么</translation>
    </message>
    <message>
        <source>A training batch takes %1, an epoch of %2 about %3, the run about %4; tensors take at most %5.</source>
        <translation>一个训练批次需要 %1，一轮（%2）约 %3，整个运行约 %4；张量最多占用 %5。</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s) below.</source>
        <translation>
            <numerusform>下方有 %n 条警告。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) below.</source>
        <translation>
            <numerusform>下方有 %n 个发现。</numerusform>
        </translation>
    </message>
    <message>
        <source>Loss at each rate</source>
        <translation>各学习率下的损失</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Smoothed loss</source>
        <translation>平滑后的损失</translation>
    </message>
    <message>
        <source>suggested</source>
        <translation>建议值</translation>
    </message>
    <message>
        <source>Loss by learning rate</source>
        <translation>损失随学习率的变化</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Suggested: %1</source>
        <translation>建议值：%1</translation>
    </message>
    <message>
        <source>Diverges at %1</source>
        <translation>在 %1 处发散</translation>
    </message>
    <message>
        <source>%1 was not measured: %2</source>
        <translation>%1 没有测量：%2</translation>
    </message>
    <message>
        <source>Averaged weights</source>
        <translation>平均权重</translation>
    </message>
    <message>
        <source>Multiply all learning rates by %1</source>
        <translation>把所有学习率乘以 %1</translation>
    </message>
    <message>
        <source>All learning rates are %1 times what they were, and the highest is %2 now. Undo (Ctrl+Z) takes it back.</source>
        <translation>所有学习率现在是原来的 %1 倍，最高的是 %2。撤销（Ctrl+Z）可恢复。</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>把 %1 设为 %2</translation>
    </message>
    <message>
        <source>%1 is %2 now. Undo (Ctrl+Z) takes it back.</source>
        <translation>%1 现在是 %2。撤销（Ctrl+Z）可恢复。</translation>
    </message>
    <message>
        <source>Set the learning rate to %1</source>
        <translation>把学习率设为 %1</translation>
    </message>
    <message>
        <source>The learning rate is %1 now. Undo (Ctrl+Z) takes it back.</source>
        <translation>学习率现在是 %1。撤销（Ctrl+Z）可恢复。</translation>
    </message>
    <message>
        <source>Batch sizes that were tried</source>
        <translation>试过的批次大小</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批次大小</translation>
    </message>
    <message>
        <source>Step (ms)</source>
        <translation>一步（毫秒）</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>选用</translation>
    </message>
    <message>
        <source>A sample takes about %1; tensors may take %2.</source>
        <translation>一个样本约占 %1；张量可以占用 %2。</translation>
    </message>
    <message>
        <source>A batch of %1 is chosen.</source>
        <translation>选用大小为 %1 的批次。</translation>
    </message>
    <message>
        <source>Set the batch size to %1</source>
        <translation>把批次大小设为 %1</translation>
    </message>
    <message>
        <source>The batch size is %1 now. Undo (Ctrl+Z) takes it back.</source>
        <translation>批次大小现在是 %1。撤销（Ctrl+Z）可恢复。</translation>
    </message>
    <message>
        <source>Loss on the first batch</source>
        <translation>第一个批次上的损失</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>First loss</source>
        <translation>最初的损失</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>最后的损失</translation>
    </message>
    <message>
        <source>What the first batch came to</source>
        <translation>第一个批次的结果</translation>
    </message>
    <message>
        <source>Copying to the device</source>
        <translation>复制到设备</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>监视器</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>%1, %2: %3, %4 %</source>
        <translation>%1，%2：%3，%4 %</translation>
    </message>
    <message>
        <source>Memory in the last step</source>
        <translation>最后一步中的内存</translation>
    </message>
    <message>
        <source>tensors (MB)</source>
        <translation>张量（MB）</translation>
    </message>
    <message>
        <source>time in ms</source>
        <translation>时间（毫秒）</translation>
    </message>
    <message>
        <source>Phases of a step</source>
        <translation>一步的各个阶段</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Where a step&apos;s time goes: phases, below them the blocks&apos; forward and backward</source>
        <translation>一步的时间用在哪里：各个阶段，其下是各模块的前向和反向</translation>
    </message>
    <message>
        <source>Blocks by time</source>
        <translation>按时间排列的模块</translation>
    </message>
    <message>
        <source>Backward (ms)</source>
        <translation>反向（毫秒）</translation>
    </message>
    <message>
        <source>Grows by</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>A step takes %1, most of it (%2 %) in: %3.</source>
        <translation>一步需要 %1，其中最多的（%2 %）是：%3。</translation>
    </message>
    <message>
        <source>Tensors grew by %1 from the first profiled step to the last.</source>
        <translation>从剖析的第一步到最后一步，张量增长了 %1。</translation>
    </message>
    <message>
        <source>Tensors did not grow from step to step.</source>
        <translation>张量没有逐步增长。</translation>
    </message>
    <message>
        <source>The trace is in %1; chrome://tracing and Perfetto open it.</source>
        <translation>跟踪保存在 %1，可用 chrome://tracing 和 Perfetto 打开。</translation>
    </message>
    <message>
        <source>Most of it belongs to %1.</source>
        <translation>其中最多的属于 %1。</translation>
    </message>
</context>
<context>
    <name>ProbeTables</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>QGraphicsScene</name>
    <message>
        <source>A block cannot feed itself.</source>
        <translation>模块不能连接到自身。</translation>
    </message>
</context>
<context>
    <name>RemedyState</name>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
</context>
<context>
    <name>RunComparison</name>
    <message>
        <source>What differs between two runs</source>
        <translation>两次运行的差异</translation>
    </message>
    <message>
        <source>The two runs have the same settings.</source>
        <translation>两次运行的设置相同。</translation>
    </message>
    <message>
        <source>Settings that differ, then the last values of both.</source>
        <translation>先是不同的设置，然后是两者的最后数值。</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>%1, from step %2 on %3</source>
        <translation>%1，从第 %2 步起为 %3</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>SampleView</name>
    <message>
        <source>Sample %1: %2</source>
        <translation>样本 %1：%2</translation>
    </message>
</context>
<context>
    <name>ShortcutList</name>
    <message>
        <source>New project, open, save, save as</source>
        <translation>新建项目、打开、保存、另存为</translation>
    </message>
    <message>
        <source>Undo, redo</source>
        <translation>撤销、重做</translation>
    </message>
    <message>
        <source>Find a command by its name</source>
        <translation>按名称查找命令</translation>
    </message>
    <message>
        <source>Go to a page</source>
        <translation>转到页面</translation>
    </message>
    <message>
        <source>Run, pause, stop, resume</source>
        <translation>运行、暂停、停止、继续</translation>
    </message>
    <message>
        <source>This list, full screen</source>
        <translation>本列表、全屏</translation>
    </message>
    <message>
        <source>Canvas: add a block by search (or double click on empty canvas)</source>
        <translation>画布：搜索并添加模块（或双击空白处）</translation>
    </message>
    <message>
        <source>Canvas: cut, copy, paste, duplicate</source>
        <translation>画布：剪切、复制、粘贴、创建副本</translation>
    </message>
    <message>
        <source>Canvas: delete; readers are reconnected</source>
        <translation>画布：删除；下游会自动重连</translation>
    </message>
    <message>
        <source>Canvas: group the selection into a composite</source>
        <translation>画布：将所选组合为复合模块</translation>
    </message>
    <message>
        <source>Canvas: go into a composite (or double click), go out</source>
        <translation>画布：进入复合模块（或双击）、返回</translation>
    </message>
    <message>
        <source>Canvas: fit the selection, zoom in, zoom out, fit all</source>
        <translation>画布：显示所选、放大、缩小、显示全部</translation>
    </message>
    <message>
        <source>Canvas: go to the neighbour; with Ctrl, move the selection</source>
        <translation>画布：转到相邻模块；按住 Ctrl 则移动所选</translation>
    </message>
    <message>
        <source>Space-drag, middle-drag</source>
        <translation>空格拖动、中键拖动</translation>
    </message>
    <message>
        <source>Canvas and plots: pan</source>
        <translation>画布与图：平移</translation>
    </message>
    <message>
        <source>Drag, double click</source>
        <translation>拖动、双击</translation>
    </message>
    <message>
        <source>Plots: zoom into a box, reset</source>
        <translation>图：框选放大、重置</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>What they do</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Table of runs: edit name or note, sort by this column</source>
        <translation>运行表格：编辑名称或备注，按此列排序</translation>
    </message>
    <message>
        <source>Table of runs: select several to lay them over each other</source>
        <translation>运行表格：选择多个以叠加显示</translation>
    </message>
    <message>
        <source>Close the project, quit</source>
        <translation>关闭项目，退出</translation>
    </message>
    <message>
        <source>Start a project from my data</source>
        <translation>用我的数据新建项目</translation>
    </message>
    <message>
        <source>Canvas: select all, find a block; other pages: find a setting or a run</source>
        <translation>画布：全选、查找模块；其他页面：查找设置或运行</translation>
    </message>
    <message>
        <source>Plots: move the cursor by a point, zoom in, zoom out, reset; with Shift, pan and zoom both axes</source>
        <translation>图：光标移动一个点、放大、缩小、重置；按住 Shift 则平移并缩放两个轴</translation>
    </message>
    <message>
        <source>Before the run: preflight, find learning rate, find batch size</source>
        <translation>运行之前：预检、查找学习率、查找批次大小</translation>
    </message>
    <message>
        <source>Before the run: overfit one batch, profile steps; new sweep</source>
        <translation>运行之前：过拟合一个批次、剖析若干步；新的扫描</translation>
    </message>
    <message>
        <source>Table of runs: go to the run that this one was branched from, or to its sweep</source>
        <translation>运行表：转到分出这个运行的运行，或它所属的扫描</translation>
    </message>
</context>
<context>
    <name>Units</name>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
</context>
<context>
    <name>WindowMenus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>From the next start</source>
        <translation>下次启动时生效</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Find a command…</source>
        <translation>查找命令…</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>About Plumbline</source>
        <translation>关于 Plumbline</translation>
    </message>
    <message>
        <source>&lt;b&gt;Plumbline %1&lt;/b&gt;&lt;br&gt;The training workbench that tells you when your model is silently wrong.&lt;br&gt;&lt;br&gt;The window is free software under the GPL, version 3 or later; the engine and what you export are Apache-2.0.</source>
        <translation>&lt;b&gt;Plumbline %1&lt;/b&gt;&lt;br&gt;当模型悄然出错时会告诉你的训练工作台。&lt;br&gt;&lt;br&gt;窗口程序是自由软件，采用 GPL 第 3 版或更高版本；引擎和导出的内容采用 Apache-2.0。</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>文档</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::BlockPalette</name>
    <message>
        <source>A value that comes in from outside.</source>
        <translation>从外部进入的值。</translation>
    </message>
    <message>
        <source>A value that goes out.</source>
        <translation>输出到外部的值。</translation>
    </message>
    <message>
        <source>Composite of this project.</source>
        <translation>本项目的复合模块。</translation>
    </message>
    <message>
        <source>Search blocks</source>
        <translation>搜索模块</translation>
    </message>
    <message>
        <source>Block types</source>
        <translation>模块类型</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>No block matches &quot;%1&quot;.</source>
        <translation>没有与“%1”匹配的模块。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::BlockStatistics</name>
    <message>
        <source>‖grad‖ %1</source>
        <translation>‖grad‖ %1</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>max |grad| %1</source>
        <translation>最大 |梯度| %1</translation>
    </message>
    <message>
        <source>Gradient norm (L2), logarithmic</source>
        <translation>梯度范数（L2），对数</translation>
    </message>
    <message>
        <source>Largest gradient (magnitude), logarithmic</source>
        <translation>最大梯度（绝对值），对数</translation>
    </message>
    <message>
        <source>Share of the parameters shown (%)</source>
        <translation>占所示参数的比例（%）</translation>
    </message>
    <message>
        <source>Share of the MACs shown (%)</source>
        <translation>占所示 MAC 的比例（%）</translation>
    </message>
    <message>
        <source>max ‖Δw‖/‖w‖ %1</source>
        <translation>最大 ‖Δw‖/‖w‖ %1</translation>
    </message>
    <message>
        <source>‖Δw‖/‖w‖ %1</source>
        <translation>‖Δw‖/‖w‖ %1</translation>
    </message>
    <message>
        <source>Update ratio ‖Δw‖ / ‖w‖ of a step, logarithmic</source>
        <translation>每步更新比 ‖Δw‖ / ‖w‖，对数刻度</translation>
    </message>
    <message>
        <source>Memory of parameters and outputs (bytes), batch of %1</source>
        <translation>参数与输出的内存（字节），批量大小 %1</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::Breadcrumb</name>
    <message>
        <source>Where the canvas is</source>
        <translation>画布所在层级</translation>
    </message>
    <message>
        <source>Go out to %1</source>
        <translation>返回 %1</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::CanvasAdapter</name>
    <message>
        <source> · weights of %1</source>
        <translation> · 共享 %1 的权重</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>An input or output cannot stand inside a wire.</source>
        <translation>输入或输出不能插入连线中间。</translation>
    </message>
    <message>
        <source>%1 has no input and output to put into a wire.</source>
        <translation>%1 没有可插入连线的输入和输出。</translation>
    </message>
    <message>
        <source>%1 is connected already.</source>
        <translation>%1 已有连接。</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message numerus="yes">
        <source>Move %n block(s)</source>
        <translation>
            <numerusform>移动 %n 个模块</numerusform>
        </translation>
    </message>
    <message>
        <source>Connect %1 to %2</source>
        <translation>将 %1 连接到 %2</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n block(s)</source>
        <translation>
            <numerusform>删除 %n 个模块</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n wire(s)</source>
        <translation>
            <numerusform>删除 %n 条连线</numerusform>
        </translation>
    </message>
    <message>
        <source>Insert %1</source>
        <translation>插入 %1</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n block(s)</source>
        <translation>
            <numerusform>粘贴 %n 个模块</numerusform>
        </translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>复制 %1</translation>
    </message>
    <message numerus="yes">
        <source>Duplicate %n block(s)</source>
        <translation>
            <numerusform>复制 %n 个模块</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Group %n block(s)</source>
        <translation>
            <numerusform>将 %n 个模块成组</numerusform>
        </translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Arrange blocks</source>
        <translation>整理布局</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::DataPage</name>
    <message>
        <source>Class sizes</source>
        <translation>各类别大小</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>S&amp;plit</source>
        <translation>划分(&amp;P)</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Samples as the model gets them</source>
        <translation>模型所得到的样本</translation>
    </message>
    <message>
        <source>Reading the data…</source>
        <translation>正在读取数据…</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>target %1</source>
        <translation>目标 %1</translation>
    </message>
    <message>
        <source>%1 training · %2 validation · %3 test · %4 in memory</source>
        <translation>训练 %1 · 验证 %2 · 测试 %3 · 内存占用 %4</translation>
    </message>
    <message>
        <source>%1, channel %2</source>
        <translation>%1，通道 %2</translation>
    </message>
    <message>
        <source>%1–%2 of %3</source>
        <translation>第 %1–%2 个，共 %3 个</translation>
    </message>
    <message>
        <source>This split holds no sample.</source>
        <translation>此划分中没有样本。</translation>
    </message>
    <message>
        <source>Give it a share under data.splits.</source>
        <translation>请在 data.splits 中为它设定比例。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Find a data setting…</source>
        <translation>查找数据设置…</translation>
    </message>
    <message>
        <source>The target is neither a class nor a single number.</source>
        <translation>目标既不是类别，也不是单个数值。</translation>
    </message>
    <message>
        <source>Statistics of the training split</source>
        <translation>训练划分的统计量</translation>
    </message>
    <message>
        <source>Values shown</source>
        <translation>显示的数值</translation>
    </message>
    <message>
        <source>The transforms change values on their way to the model.</source>
        <translation>数值在送入模型前会被变换。</translation>
    </message>
    <message>
        <source>As in the data</source>
        <translation>数据原值</translation>
    </message>
    <message>
        <source>As the model gets them</source>
        <translation>模型所得的值</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>停止读取</translation>
    </message>
    <message>
        <source>Reading the data was stopped.</source>
        <translation>已停止读取数据。</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Before the transforms</source>
        <translation>变换之前</translation>
    </message>
    <message>
        <source>After the transforms</source>
        <translation>变换之后</translation>
    </message>
    <message>
        <source>Before and after the transforms</source>
        <translation>变换之前与之后</translation>
    </message>
    <message>
        <source>Values of %1, of some samples</source>
        <translation>%1 的数值（部分样本）</translation>
    </message>
    <message>
        <source>Values of %1</source>
        <translation>%1 的数值</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ExportPage</name>
    <message>
        <source>Take the model away</source>
        <translation>导出模型</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>权重(&amp;W)</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>A new folder</source>
        <translation>新文件夹</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>文件夹(&amp;O)</translation>
    </message>
    <message>
        <source>Build or load it and compare the numbers</source>
        <translation>构建或加载后比对数值</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Files written</source>
        <translation>已写入的文件</translation>
    </message>
    <message>
        <source>Run %1 · %2</source>
        <translation>运行 %1 · %2</translation>
    </message>
    <message>
        <source>Initial weights of the seed</source>
        <translation>由种子得到的初始权重</translation>
    </message>
    <message>
        <source>LibTorch is being loaded…</source>
        <translation>正在加载 LibTorch…</translation>
    </message>
    <message>
        <source>Choose an empty folder</source>
        <translation>选择一个空文件夹</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message numerus="yes">
        <source>%n files were written.</source>
        <translation>
            <numerusform>已写入 %n 个文件。</numerusform>
        </translation>
    </message>
    <message>
        <source>largest difference %1 in the forward pass, %2 after five training steps</source>
        <translation>前向最大差异 %1，五个训练步后 %2</translation>
    </message>
    <message>
        <source>largest difference %1 in the forward pass</source>
        <translation>前向最大差异 %1</translation>
    </message>
    <message>
        <source>every tensor of the file was read back</source>
        <translation>文件中的每个张量都已读回核对</translation>
    </message>
    <message>
        <source>The numbers are the same: %1.</source>
        <translation>数值一致：%1。</translation>
    </message>
    <message>
        <source>The numbers differ: %1.</source>
        <translation>数值不同：%1。</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>导出进度</translation>
    </message>
    <message>
        <source>The files of the export are listed here. Choose a format and press Export.</source>
        <translation>导出的文件会列在这里。请选择格式并按“导出”。</translation>
    </message>
    <message>
        <source>Log of the check</source>
        <translation>检查日志</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>%1 · best</source>
        <translation>%1 · 最佳</translation>
    </message>
    <message>
        <source>This run has critical findings: %1. Look at them on the Runs page before you rely on its weights.</source>
        <translation>此运行有严重发现：%1。使用其权重之前，请先在“运行”页查看这些发现。</translation>
    </message>
    <message>
        <source>For&amp;mat</source>
        <translation>格式(&amp;M)</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::FileController</name>
    <message>
        <source>New…</source>
        <translation>新建…</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Close project</source>
        <translation>关闭项目</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>最近的项目</translation>
    </message>
    <message>
        <source>open another project</source>
        <translation>打开另一个项目</translation>
    </message>
    <message>
        <source>Open a project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Plumbline projects (project.json)</source>
        <translation>Plumbline 项目 (project.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>start a new project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Save the project as a folder</source>
        <translation>将项目保存为文件夹</translation>
    </message>
    <message>
        <source>-copy</source>
        <translation>-副本</translation>
    </message>
    <message>
        <source>close the project</source>
        <translation>关闭项目</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved.</source>
        <translation>%1 有未保存的更改。</translation>
    </message>
    <message>
        <source>Give up changes</source>
        <translation>放弃更改</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>A run is on</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>To %1, the run that is on has to stop. It is saved first and can be resumed.</source>
        <translation>要%1，须先停止当前运行。停止前会保存，之后可以继续。</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>Changes of this project were not saved when the program ended last.</source>
        <translation>上次程序结束时，此项目的更改未保存。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Run %1 was interrupted at step %2.</source>
        <translation>运行 %1 在第 %2 步中断。</translation>
    </message>
    <message>
        <source>It goes on from its newest checkpoint with the same numbers.</source>
        <translation>它会从最新检查点继续，数值保持一致。</translation>
    </message>
    <message>
        <source>Resume run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>No project was opened yet</source>
        <translation>尚未打开过项目</translation>
    </message>
    <message>
        <source>Forget these</source>
        <translation>清除这些记录</translation>
    </message>
    <message>
        <source>Start from my data…</source>
        <translation>用我的数据开始…</translation>
    </message>
    <message>
        <source>This is your copy of the sample, in %1.</source>
        <translation>这是示例的副本，位于 %1。</translation>
    </message>
    <message>
        <source>This is the copy of the sample that you made before, in %1.</source>
        <translation>这是您之前创建的示例副本，位于 %1。</translation>
    </message>
    <message>
        <source>The project is ready to run: press F5 to train it.</source>
        <translation>项目已可运行：按 F5 训练。</translation>
    </message>
    <message>
        <source>Look at the data</source>
        <translation>查看数据</translation>
    </message>
    <message>
        <source>Restore unsaved changes</source>
        <translation>恢复未保存的更改</translation>
    </message>
    <message>
        <source>This project is open in another window already.</source>
        <translation>该项目已在另一个窗口中打开。</translation>
    </message>
    <message>
        <source>Save here often: after a crash only the other window&apos;s changes can be restored.</source>
        <translation>请经常在此保存：崩溃后只能恢复另一个窗口中的更改。</translation>
    </message>
    <message>
        <source>The sample is being copied.</source>
        <translation>正在复制示例。</translation>
    </message>
    <message>
        <source>The window can be used meanwhile.</source>
        <translation>在此期间可以继续使用窗口。</translation>
    </message>
    <message>
        <source>Stop copying</source>
        <translation>停止复制</translation>
    </message>
    <message>
        <source>Copying was stopped.</source>
        <translation>复制已停止。</translation>
    </message>
    <message>
        <source>What had been copied is removed.</source>
        <translation>已复制的部分已删除。</translation>
    </message>
    <message>
        <source>The data are being copied into the project.</source>
        <translation>正在把数据复制到项目中。</translation>
    </message>
    <message>
        <source>Project changed outside</source>
        <translation>项目在外部被更改</translation>
    </message>
    <message>
        <source>%1 was changed by another program since it was read.</source>
        <translation>%1 在读取之后被另一个程序更改过。</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>The data are being copied into the new folder.</source>
        <translation>正在把数据复制到新文件夹中。</translation>
    </message>
    <message>
        <source>Restoring them can be undone; until then they are kept.</source>
        <translation>恢复可以撤销；在此之前会一直保留。</translation>
    </message>
    <message>
        <source>Overwriting loses what the other program wrote; after reloading, the changes made here can be restored.</source>
        <translation>覆盖会丢失其他程序所写的内容；重新载入后，这里的更改可以恢复。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>The project was reloaded. What was changed here and not saved is kept.</source>
        <translation>项目已重新载入。这里未保存的更改已保留。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::IssueCard</name>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show where this is</source>
        <translation>显示其位置</translation>
    </message>
    <message>
        <source>How this is detected</source>
        <translation>如何检测</translation>
    </message>
    <message>
        <source>Takes effect at once, also in the run that is on. Can be undone.</source>
        <translation>立即生效，对进行中的运行也是。可以撤销。</translation>
    </message>
    <message>
        <source>Takes effect in the next run. Can be undone.</source>
        <translation>在下次运行中生效。可以撤销。</translation>
    </message>
    <message>
        <source>Applied.</source>
        <translation>已应用。</translation>
    </message>
    <message>
        <source>Applied, run again.</source>
        <translation>已应用，请重新运行。</translation>
    </message>
    <message>
        <source>Does not fit any more: %1</source>
        <translation>不再适用：%1</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::IssueModel</name>
    <message>
        <source>step %1, epoch %2</source>
        <translation>第 %1 步，第 %2 轮</translation>
    </message>
    <message>
        <source>, cleared at step %1</source>
        <translation>，于第 %1 步消除</translation>
    </message>
    <message>
        <source>cleared</source>
        <translation>已消除</translation>
    </message>
    <message>
        <source>follows: %1</source>
        <translation>由此引起：%1</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>问题所在</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::IssuePanel</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::LibTorchFetcher</name>
    <message>
        <source>The tool that fetches LibTorch cannot be started.</source>
        <translation>无法启动获取 LibTorch 的工具。</translation>
    </message>
    <message>
        <source>LibTorch 2.13.0, which does the computing, is not on this machine.</source>
        <translation>本机没有负责计算的 LibTorch 2.13.0。</translation>
    </message>
    <message>
        <source>It takes 540 MB to fetch (2.5 GB with an NVIDIA driver of 580 or newer) and stays in your cache folder. Editing works without it.</source>
        <translation>需要下载 540 MB（NVIDIA 驱动为 580 或更新时为 2.5 GB），保存在您的缓存文件夹中。没有它也可以编辑。</translation>
    </message>
    <message>
        <source>Fetch LibTorch</source>
        <translation>获取 LibTorch</translation>
    </message>
    <message>
        <source>Fetching LibTorch…</source>
        <translation>正在获取 LibTorch…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Fetching LibTorch: %1 of %2</source>
        <translation>正在获取 LibTorch：%1 / %2</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Unpacking LibTorch…</source>
        <translation>正在解压 LibTorch…</translation>
    </message>
    <message>
        <source>Fetching LibTorch was stopped.</source>
        <translation>已停止获取 LibTorch。</translation>
    </message>
    <message>
        <source>What was loaded so far is kept.</source>
        <translation>已下载的部分会保留。</translation>
    </message>
    <message>
        <source>LibTorch is here.</source>
        <translation>LibTorch 已就绪。</translation>
    </message>
    <message>
        <source>LibTorch could not be fetched.</source>
        <translation>无法获取 LibTorch。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::MainWindow</name>
    <message>
        <source>The language changes with the next start.</source>
        <translation>语言将在下次启动时更改。</translation>
    </message>
    <message>
        <source>No findings. While a model trains, what is silently wrong stands here.</source>
        <translation>没有发现。训练时，悄然出错之处会列在这里。</translation>
    </message>
    <message>
        <source>Problems %1</source>
        <translation>问题 %1</translation>
    </message>
    <message>
        <source>Findings %1</source>
        <translation>发现 %1</translation>
    </message>
    <message>
        <source>close the program</source>
        <translation>关闭程序</translation>
    </message>
    <message>
        <source>Drop it to open the project, or to start one from this data</source>
        <translation>放下即可打开项目，或用此数据新建项目</translation>
    </message>
    <message>
        <source>The page about %1 is not installed.</source>
        <translation>没有安装关于 %1 的页面。</translation>
    </message>
    <message>
        <source>No problem found in shapes, settings and data.</source>
        <translation>形状、设置和数据中没有发现问题。</translation>
    </message>
    <message>
        <source>No project is open.</source>
        <translation>没有打开的项目。</translation>
    </message>
    <message>
        <source>No problem found in shapes and settings. The data are being read.</source>
        <translation>形状和设置中没有发现问题。正在读取数据。</translation>
    </message>
    <message>
        <source>applied</source>
        <translation>已应用</translation>
    </message>
    <message>
        <source>applied, run again</source>
        <translation>已应用，请重新运行</translation>
    </message>
    <message>
        <source>A remedy was applied, run again: %1</source>
        <translation>已应用补救办法，请重新运行：%1</translation>
    </message>
    <message>
        <source>Run %1 has no findings.</source>
        <translation>运行 %1 没有发现。</translation>
    </message>
    <message>
        <source>Problems and findings</source>
        <translation>问题与发现</translation>
    </message>
    <message>
        <source>Findings %1 · %2 new</source>
        <translation>发现 %1 · %2 个新的</translation>
    </message>
    <message>
        <source>No problem found in shapes and settings. Reading the data was stopped.</source>
        <translation>形状和设置没有问题。已停止读取数据。</translation>
    </message>
    <message>
        <source>Nothing was started, for it would use the value from before. Correct the field, or press Escape in it to take that value.</source>
        <translation>没有启动任何任务，因为那样会使用之前的值。请改正该字段，或在其中按 Esc 以采用之前的值。</translation>
    </message>
    <message>
        <source>%1 · run %2</source>
        <translation>%1 · 运行 %2</translation>
    </message>
    <message>
        <source>Run %1 has no findings so far.</source>
        <translation>运行 %1 到目前为止没有发现。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::MatrixDialog</name>
    <message>
        <source>Confusion matrix of %1</source>
        <translation>%1 的混淆矩阵</translation>
    </message>
    <message>
        <source>The run is being read…</source>
        <translation>正在读取运行…</translation>
    </message>
    <message>
        <source>&amp;Metric</source>
        <translation>指标(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Epoch</source>
        <translation>轮次(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Cells</source>
        <translation>单元格(&amp;C)</translation>
    </message>
    <message>
        <source>Count and % of the row</source>
        <translation>计数和占行的百分比</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>% of the row</source>
        <translation>占行的百分比</translation>
    </message>
    <message>
        <source>Colour alone</source>
        <translation>只用颜色</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Confusion matrix: a row a true class, a column a predicted one</source>
        <translation>混淆矩阵：一行是一个真实类别，一列是一个预测类别</translation>
    </message>
    <message>
        <source>Filter what is confused</source>
        <translation>筛选混淆的类别</translation>
    </message>
    <message>
        <source>No sample was taken for another class.</source>
        <translation>没有样本被当作别的类别。</translation>
    </message>
    <message>
        <source>What is confused most</source>
        <translation>最常混淆的类别</translation>
    </message>
    <message>
        <source>This run has no confusion matrix.</source>
        <translation>这个运行没有混淆矩阵。</translation>
    </message>
    <message>
        <source>Add the metric confusion_matrix to training.metrics; every run from then on has one an epoch.</source>
        <translation>在 training.metrics 中加入指标 confusion_matrix；此后每个运行的每一轮都有一个。</translation>
    </message>
    <message>
        <source>after the training</source>
        <translation>训练之后</translation>
    </message>
    <message>
        <source>%1 (last and best)</source>
        <translation>%1（最后，也是最好）</translation>
    </message>
    <message>
        <source>%1 (best)</source>
        <translation>%1（最好）</translation>
    </message>
    <message>
        <source>%1 (last)</source>
        <translation>%1（最后）</translation>
    </message>
    <message>
        <source>The best one is that of the best %1.</source>
        <translation>最好的是 %1 最好的那一轮。</translation>
    </message>
    <message>
        <source>No sample was judged.</source>
        <translation>没有评判任何样本。</translation>
    </message>
    <message>
        <source>True</source>
        <translation>真实</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>% of the class</source>
        <translation>占类别的百分比</translation>
    </message>
    <message>
        <source>share of its row (%)</source>
        <translation>占该行的份额（%）</translation>
    </message>
    <message>
        <source>%1 of %2 samples right (%3). A row is a true class, a column a predicted one.</source>
        <translation>%2 个样本中 %1 个正确（%3）。一行是一个真实类别，一列是一个预测类别。</translation>
    </message>
    <message>
        <source>Older epochs are left out: all matrices of this run together are too large.</source>
        <translation>较早的轮次未列出：这个运行的所有矩阵合在一起太大。</translation>
    </message>
    <message>
        <source>Add confusion_matrix to the metrics</source>
        <translation>将 confusion_matrix 加入指标</translation>
    </message>
    <message>
        <source>confusion_matrix is one of the metrics now.</source>
        <translation>confusion_matrix 现在是指标之一。</translation>
    </message>
    <message>
        <source>Every run from now on has one an epoch. Ctrl+Z takes it out again.</source>
        <translation>此后的每个运行每轮都有一个。Ctrl+Z 可撤销。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::MatrixModel</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 个中的 %1 个</translation>
    </message>
    <message>
        <source>true %1, predicted %2: %3</source>
        <translation>真实 %1，预测 %2：%3</translation>
    </message>
    <message numerus="yes">
        <source>true class %1, %n sample(s)</source>
        <translation>
            <numerusform>真实类别 %1，%n 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>predicted class %1</source>
        <translation>预测类别 %1</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::MemoryTable</name>
    <message>
        <source>Memory of the run</source>
        <translation>运行的内存</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>All tensors</source>
        <translation>所有张量</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>Prefetch</source>
        <translation>预取</translation>
    </message>
    <message>
        <source>%1 now</source>
        <translation>%1 当前</translation>
    </message>
    <message>
        <source>%1 at most</source>
        <translation>%1 最多</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ModelPage</name>
    <message>
        <source>Model graph</source>
        <translation>模型图</translation>
    </message>
    <message>
        <source>No blocks yet. Double click, press Tab or drag one from the left.</source>
        <translation>还没有模块。双击、按 Tab，或从左侧拖入一个。</translation>
    </message>
    <message>
        <source>Add a block</source>
        <translation>添加模块</translation>
    </message>
    <message>
        <source>Find a block</source>
        <translation>查找模块</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Fill of the blocks</source>
        <translation>模块填充</translation>
    </message>
    <message>
        <source>What fills the blocks</source>
        <translation>模块以什么填充</translation>
    </message>
    <message>
        <source>No fill</source>
        <translation>不填充</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>MACs</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Find a block (Ctrl+F)</source>
        <translation>查找模块 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Arrange blocks</source>
        <translation>整理布局</translation>
    </message>
    <message>
        <source>Fit all (Home)</source>
        <translation>显示全部 (Home)</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Blocks as a list</source>
        <translation>模块列表</translation>
    </message>
    <message>
        <source>Add a block…</source>
        <translation>添加模块…</translation>
    </message>
    <message>
        <source>Copy blocks</source>
        <translation>复制模块</translation>
    </message>
    <message>
        <source>Paste blocks</source>
        <translation>粘贴模块</translation>
    </message>
    <message>
        <source>Duplicate blocks</source>
        <translation>创建模块副本</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Group into a composite</source>
        <translation>组合为复合模块</translation>
    </message>
    <message>
        <source>Go into the composite</source>
        <translation>进入复合模块</translation>
    </message>
    <message>
        <source>Go out</source>
        <translation>返回上层</translation>
    </message>
    <message>
        <source>Find a block…</source>
        <translation>查找模块…</translation>
    </message>
    <message>
        <source>Fit selection</source>
        <translation>显示所选</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Minimap</source>
        <translation>小地图</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Largest gradient</source>
        <translation>最大梯度</translation>
    </message>
    <message>
        <source>Cut blocks</source>
        <translation>剪切模块</translation>
    </message>
    <message>
        <source>Update ratio</source>
        <translation>更新比</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::NavigationBar</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::NewFromDataDialog</name>
    <message numerus="yes">
        <source>A table of %1 rows and %n columns.</source>
        <translation>
            <numerusform>%1 行、%n 列的表格。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 samples of %2 values each.</source>
        <translation>%1 个样本，每个 %2 个值。</translation>
    </message>
    <message>
        <source>%1 images of different sizes.</source>
        <translation>%1 幅大小不同的图像。</translation>
    </message>
    <message>
        <source>%1 images of %2 × %3.</source>
        <translation>%1 幅 %2 × %3 的图像。</translation>
    </message>
    <message>
        <source>it has no values</source>
        <translation>没有值</translation>
    </message>
    <message>
        <source>the same value in every row</source>
        <translation>每一行的值都相同</translation>
    </message>
    <message>
        <source>it numbers the rows</source>
        <translation>它是行号</translation>
    </message>
    <message>
        <source>&quot;%1&quot; in row %2 is no number</source>
        <translation>第 %2 行的 &quot;%1&quot; 不是数字</translation>
    </message>
    <message>
        <source>%1 different texts</source>
        <translation>%1 种不同的文本</translation>
    </message>
    <message>
        <source>%1 gaps are filled with the median</source>
        <translation>%1 处空缺用中位数填补</translation>
    </message>
    <message>
        <source>%1 gaps are filled with the most frequent text</source>
        <translation>%1 处空缺用最常见的文本填补</translation>
    </message>
    <message>
        <source>%1 rows without it are left out</source>
        <translation>略去缺少它的 %1 行</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测目标</translation>
    </message>
    <message>
        <source>input, a number</source>
        <translation>输入，数字</translation>
    </message>
    <message>
        <source>input, a category</source>
        <translation>输入，类别</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>Start from my data</source>
        <translation>用我的数据开始</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Drop a table, a folder of images or an IDX file here, or choose it.</source>
        <translation>把表格、图像文件夹或 IDX 文件拖到这里，或选择它。</translation>
    </message>
    <message>
        <source>A table has one row a sample; a folder has one folder of images a class; the labels of an IDX file lie beside it.</source>
        <translation>表格每行一个样本；文件夹中每个类别一个图像文件夹；IDX 文件的标签在它旁边。</translation>
    </message>
    <message>
        <source>Choose other data</source>
        <translation>选择其他数据</translation>
    </message>
    <message>
        <source>What is predicted</source>
        <translation>预测什么</translation>
    </message>
    <message>
        <source>Predicted as</source>
        <translation>预测为</translation>
    </message>
    <message>
        <source>a class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Splits</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>%1 % training, %2 % validation, %3 % test</source>
        <translation>%1 % 训练，%2 % 验证，%3 % 测试</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>表格的列</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Used as</source>
        <translation>用作</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Copy the data into the project</source>
        <translation>把数据复制到项目中</translation>
    </message>
    <message>
        <source>Otherwise it is read where it lies.</source>
        <translation>否则在原处读取。</translation>
    </message>
    <message>
        <source>as</source>
        <translation>用作</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Choose a table or an IDX file</source>
        <translation>选择表格或 IDX 文件</translation>
    </message>
    <message>
        <source>Choose a folder of images</source>
        <translation>选择图像文件夹</translation>
    </message>
    <message>
        <source>Looking into %1…</source>
        <translation>正在查看 %1…</translation>
    </message>
    <message>
        <source>my-model</source>
        <translation>my-model</translation>
    </message>
    <message>
        <source>the label</source>
        <translation>标签</translation>
    </message>
    <message numerus="yes">
        <source>%n classes: %1</source>
        <translation>
            <numerusform>%n 个类别：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>The model gets them in grey, %1 × %2 pixels.</source>
        <translation>模型得到 %1 × %2 像素的灰度图。</translation>
    </message>
    <message>
        <source>The model gets them in colour, %1 × %2 pixels.</source>
        <translation>模型得到 %1 × %2 像素的彩色图。</translation>
    </message>
    <message>
        <source>Reading the data…</source>
        <translation>正在读取数据…</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::NewProjectDialog</name>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Parameters of the template</source>
        <translation>模板参数</translation>
    </message>
    <message>
        <source>This template has no parameters.</source>
        <translation>此模板没有参数。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::OutsideBar</name>
    <message>
        <source>project.json was changed by another program.</source>
        <translation>project.json 已被其他程序更改。</translation>
    </message>
    <message>
        <source>Reload takes what it holds; your unsaved changes can be restored. Keep mine: saving asks before it overwrites.</source>
        <translation>“重新载入”采用文件的内容，未保存的更改可以恢复；“保留我的”则在保存覆盖前询问。</translation>
    </message>
    <message>
        <source>Reload takes what it holds. Keep mine: saving asks before it overwrites.</source>
        <translation>“重新载入”采用文件的内容；“保留我的”则在保存覆盖前询问。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ParameterPanel</name>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source> · %1 MACs</source>
        <translation> · %1 MACs</translation>
    </message>
    <message>
        <source> · %1 a sample</source>
        <translation> · 每样本 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n 个模块</numerusform>
        </translation>
    </message>
    <message>
        <source>Select one block to see its parameters.</source>
        <translation>选择一个模块以查看其参数。</translation>
    </message>
    <message>
        <source>The model. Select a block to see its parameters.</source>
        <translation>整个模型。选择一个模块以查看其参数。</translation>
    </message>
    <message>
        <source>Composite. Changes hold for every instance.</source>
        <translation>复合模块。更改对每个实例都有效。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>There is no block type of this name.</source>
        <translation>没有这个名称的模块类型。</translation>
    </message>
    <message numerus="yes">
        <source>%1 parameter(s)</source>
        <translation>
            <numerusform>%1 个参数</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ParameterRow</name>
    <message>
        <source>Setting, as training.optimizer.lr</source>
        <translation>设置，例如 training.optimizer.lr</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>range, by logarithm</source>
        <translation>范围，按对数</translation>
    </message>
    <message>
        <source>Values with commas: 16, 32, 64</source>
        <translation>用逗号分开的值：16, 32, 64</translation>
    </message>
    <message>
        <source>from</source>
        <translation>从</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source> values</source>
        <translation> 个值</translation>
    </message>
    <message>
        <source>Take this setting out of the sweep</source>
        <translation>把这个设置从扫描中去掉</translation>
    </message>
    <message>
        <source>Setting %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>Kind of values of setting %1</source>
        <translation>设置 %1 的值的种类</translation>
    </message>
    <message>
        <source>Values of setting %1</source>
        <translation>设置 %1 的值</translation>
    </message>
    <message>
        <source>Range of setting %1, from</source>
        <translation>设置 %1 的范围，从</translation>
    </message>
    <message>
        <source>Range of setting %1, to</source>
        <translation>设置 %1 的范围，到</translation>
    </message>
    <message>
        <source>Values of a grid of setting %1</source>
        <translation>网格中设置 %1 的值的个数</translation>
    </message>
    <message>
        <source>Take setting %1 out of the sweep</source>
        <translation>把设置 %1 从扫描中去掉</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ParameterRows</name>
    <message>
        <source>Add a setting</source>
        <translation>添加一个设置</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ProbeDialog</name>
    <message>
        <source>Trains on two batches and validates two, with every detector on. No run is made.</source>
        <translation>在打开所有检测器的情况下训练两个批次、验证两个批次。不产生运行。</translation>
    </message>
    <message>
        <source>Trains while the rate rises from step to step, and looks where the loss falls fastest (Smith 2017). No run is made.</source>
        <translation>让学习率逐步升高进行训练，找出损失下降最快之处（Smith 2017）。不产生运行。</translation>
    </message>
    <message>
        <source>Doubles the batch until memory or samples end, and takes the smallest that is about as fast as the best. No run is made.</source>
        <translation>不断加倍批次，直到内存或样本用完，取速度与最好者相近的最小批次。不产生运行。</translation>
    </message>
    <message>
        <source>Trains on the first batch over and over: a model that cannot learn it by heart will learn nothing else. No run is made.</source>
        <translation>反复在第一个批次上训练：记不住它的模型学不会别的。不产生运行。</translation>
    </message>
    <message>
        <source>Looks at where the time and the memory of some steps go. No run is made.</source>
        <translation>查看若干步的时间和内存用在哪里。不产生运行。</translation>
    </message>
    <message>
        <source>Preflight</source>
        <translation>预检</translation>
    </message>
    <message>
        <source>Find learning rate</source>
        <translation>查找学习率</translation>
    </message>
    <message>
        <source>Find batch size</source>
        <translation>查找批次大小</translation>
    </message>
    <message>
        <source>Overfit one batch</source>
        <translation>过拟合一个批次</translation>
    </message>
    <message>
        <source>Profile steps</source>
        <translation>剖析若干步</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>What it has done</source>
        <translation>已完成的步骤</translation>
    </message>
    <message>
        <source>What it finds stands here. Press Start.</source>
        <translation>所得的结果显示在这里。请点击“开始”。</translation>
    </message>
    <message>
        <source>Stopped. Nothing was changed.</source>
        <translation>已停止。没有任何更改。</translation>
    </message>
    <message>
        <source>Stopped, because a run began. Press Start once it has ended.</source>
        <translation>因为有运行开始，已停止。请在它结束后点击“开始”。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Save trace…</source>
        <translation>保存跟踪…</translation>
    </message>
    <message>
        <source>Profile again and write each operation of LibTorch to a file, for chrome://tracing or Perfetto</source>
        <translation>再剖析一次，并把 LibTorch 的每个操作写入文件，供 chrome://tracing 或 Perfetto 查看</translation>
    </message>
    <message>
        <source>A run is on, and both would share processor and memory. Stop the run or wait for its end, then press Start.</source>
        <translation>有运行正在进行，两者会争用处理器和内存。请停止该运行或等它结束，然后点击“开始”。</translation>
    </message>
    <message>
        <source>LibTorch is being loaded…</source>
        <translation>正在加载 LibTorch…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在开始…</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Save trace</source>
        <translation>保存跟踪</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Chrome 跟踪 (*.json)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>A field of the window shows what is no value; the window says which and why.</source>
        <translation>窗口中有一个字段的内容不是有效的值；窗口说明了是哪一个以及原因。</translation>
    </message>
    <message>
        <source>A sweep is on, and both would share processor and memory. Stop the sweep or wait for its end, then press Start.</source>
        <translation>有扫描正在进行，两者会争用处理器和内存。请停止该扫描或等它结束，然后点击“开始”。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ProbeFields</name>
    <message>
        <source>Batches of each split</source>
        <translation>每个划分的批次数</translation>
    </message>
    <message>
        <source>From rate</source>
        <translation>学习率从</translation>
    </message>
    <message>
        <source>to rate</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>最大批次</translation>
    </message>
    <message>
        <source>Memory for tensors</source>
        <translation>张量可用内存</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>four fifths of what is free</source>
        <translation>空闲内存的五分之四</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ProbeMenu</name>
    <message>
        <source>Before the run</source>
        <translation>运行之前</translation>
    </message>
    <message>
        <source>Short experiments that need no run</source>
        <translation>不需要运行的简短试验</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ProjectDocument</name>
    <message>
        <source>%1 already holds a project.</source>
        <translation>%1 中已有项目。</translation>
    </message>
    <message>
        <source>Choose another folder, or open the project that is there.</source>
        <translation>请选择其他文件夹，或打开其中的项目。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
    <message>
        <source>%1 cannot be set: what holds it is no object.</source>
        <translation>无法设置 %1：其上级不是对象。</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>Restore unsaved changes</source>
        <translation>恢复未保存的更改</translation>
    </message>
    <message>
        <source>%1 holds other data than this project.</source>
        <translation>%1 中的数据与本项目的数据不同。</translation>
    </message>
    <message>
        <source>Choose another folder, so that neither is lost.</source>
        <translation>请选择其他文件夹，以免丢失任何一方的数据。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::ProjectPlace</name>
    <message>
        <source>my-model</source>
        <translation>my-model</translation>
    </message>
    <message>
        <source>Project name</source>
        <translation>项目名称</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Folder for the new project</source>
        <translation>新项目的文件夹</translation>
    </message>
    <message>
        <source>The name becomes a folder: it has at least one character and no slash.</source>
        <translation>名称会成为文件夹：至少一个字符，且不含斜杠。</translation>
    </message>
    <message>
        <source>%1 already holds a project. Choose another name.</source>
        <translation>%1 中已有项目。请换一个名称。</translation>
    </message>
    <message>
        <source>Is made in %1</source>
        <translation>创建于 %1</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::RunController</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) keep this model from running.</source>
        <translation>
            <numerusform>有 %n 个问题使此模型无法运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>They stand in the list below; each shows its place.</source>
        <translation>它们列在下方，每项都可定位。</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Open a project to train it</source>
        <translation>打开项目以进行训练</translation>
    </message>
    <message>
        <source>Go on with the paused run (F5)</source>
        <translation>继续已暂停的运行 (F5)</translation>
    </message>
    <message>
        <source>Train this model (F5)</source>
        <translation>训练此模型 (F5)</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>No run was stopped here. The Runs page resumes earlier ones.</source>
        <translation>此处没有停止过运行。更早的运行可在“运行”页面继续。</translation>
    </message>
    <message>
        <source>Go on with the run that was stopped (Ctrl+F5)</source>
        <translation>继续已停止的运行 (Ctrl+F5)</translation>
    </message>
    <message>
        <source>The run stopped after step %1.</source>
        <translation>运行在第 %1 步之后停止。</translation>
    </message>
    <message>
        <source>It goes on from its newest checkpoint with the same numbers.</source>
        <translation>它会从最新检查点继续，数值保持一致。</translation>
    </message>
    <message>
        <source>Resume run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Pause after this batch (F6)</source>
        <translation>本批次后暂停 (F6)</translation>
    </message>
    <message>
        <source>Go on with the paused run (F6)</source>
        <translation>继续已暂停的运行 (F6)</translation>
    </message>
    <message>
        <source>Stop after this batch and save (Shift+F5)</source>
        <translation>本批次后停止并保存 (Shift+F5)</translation>
    </message>
    <message>
        <source>No run was made. The list below shows its place.</source>
        <translation>没有创建运行。下方的列表会指出它的位置。</translation>
    </message>
    <message>
        <source>Stop the sweep and save its trials (Shift+F5)</source>
        <translation>停止扫描并保存其试验（Shift+F5）</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::RunProfileDialog</name>
    <message>
        <source>Looks at where the time and the memory of the run&apos;s next steps go. No number of the run changes.</source>
        <translation>查看运行接下来各步的时间和内存用在哪里。运行的任何数值都不会改变。</translation>
    </message>
    <message>
        <source>&amp;Steps</source>
        <translation>步数(&amp;S)</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Save a &amp;trace</source>
        <translation>保存跟踪(&amp;T)</translation>
    </message>
    <message>
        <source>Write each operation of LibTorch in as many steps again to a file, for chrome://tracing or Perfetto; 100 steps at most</source>
        <translation>再用同样多的步数把 LibTorch 的每个操作写入文件，供 chrome://tracing 或 Perfetto 打开；最多 100 步</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>Profiles of this run</source>
        <translation>此运行的性能分析</translation>
    </message>
    <message>
        <source>Profile of run %1</source>
        <translation>运行 %1 的性能分析</translation>
    </message>
    <message numerus="yes">
        <source>Looking at the next %n step(s)…</source>
        <translation>
            <numerusform>正在查看接下来的 %n 步…</numerusform>
        </translation>
    </message>
    <message>
        <source>The run ended before its steps could be looked at.</source>
        <translation>运行在能够查看其步骤之前就结束了。</translation>
    </message>
    <message>
        <source>Up to step %1</source>
        <translation>至第 %1 步</translation>
    </message>
    <message>
        <source>The file of this profile holds something else. Profile the run again.</source>
        <translation>此性能分析的文件含有别的内容。请重新分析该运行。</translation>
    </message>
    <message>
        <source>A run is profiled while it takes its steps.</source>
        <translation>只有运行正在逐步训练时才能分析。</translation>
    </message>
    <message>
        <source>This run has no profile yet. Press Profile.</source>
        <translation>此运行还没有性能分析。请按“性能分析”。</translation>
    </message>
    <message>
        <source>This run has no profile.</source>
        <translation>此运行没有性能分析。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::RunTableModel</name>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Sweep %1, trial %2</source>
        <translation>扫描 %1，试验 %2</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>Branched from run %1 at step %2</source>
        <translation>从运行 %1 的第 %2 步分出</translation>
    </message>
    <message>
        <source>%1 at its best: %2</source>
        <translation>%1 的最好值：%2</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标值</translation>
    </message>
    <message>
        <source>Parent</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::RunsPage</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>No run matches the filter.</source>
        <translation>没有符合筛选的运行。</translation>
    </message>
    <message>
        <source>No runs yet. Press F5 to train this model.</source>
        <translation>还没有运行。按 F5 训练此模型。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Show plots</source>
        <translation>显示曲线</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>&amp;Series</source>
        <translation>曲线(&amp;S)</translation>
    </message>
    <message>
        <source>Series of the overlay</source>
        <translation>叠加的曲线</translation>
    </message>
    <message>
        <source>Selected runs</source>
        <translation>所选运行</translation>
    </message>
    <message>
        <source>Selected runs over each other</source>
        <translation>叠加所选运行</translation>
    </message>
    <message>
        <source>Select runs in the table to see them over each other.</source>
        <translation>在表中选择运行以叠加查看。</translation>
    </message>
    <message>
        <source>Delete runs</source>
        <translation>删除运行</translation>
    </message>
    <message>
        <source>Delete run %1 with its checkpoints?</source>
        <translation>删除运行 %1 及其检查点？</translation>
    </message>
    <message>
        <source>This cannot be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Run %1 is still on.</source>
        <translation>运行 %1 仍在进行。</translation>
    </message>
    <message>
        <source>Stop it first.</source>
        <translation>请先停止它。</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Log scale</source>
        <translation>对数刻度</translation>
    </message>
    <message>
        <source>What differs between the two runs</source>
        <translation>两次运行的差异</translation>
    </message>
    <message>
        <source>Select two runs to see what differs between them.</source>
        <translation>选择两次运行，即可查看它们的差异。</translation>
    </message>
    <message>
        <source>Find a run…</source>
        <translation>查找运行…</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete these %n runs with their checkpoints?</source>
        <translation>
            <numerusform>删除这 %n 个运行及其检查点？</numerusform>
        </translation>
    </message>
    <message>
        <source>Profiles…</source>
        <translation>性能分析…</translation>
    </message>
    <message>
        <source>Where the time and the memory of the run&apos;s steps went</source>
        <translation>该运行各步的时间和内存用在了哪里</translation>
    </message>
    <message>
        <source>Confusion matrix…</source>
        <translation>混淆矩阵…</translation>
    </message>
    <message>
        <source>Go to parent</source>
        <translation>转到来源</translation>
    </message>
    <message>
        <source>To the run that this one was branched from, or to the sweep of this trial</source>
        <translation>转到分出这个运行的运行，或这个试验所属的扫描</translation>
    </message>
    <message>
        <source>Run %1, which this one was branched from, is not there any more.</source>
        <translation>分出这个运行的运行 %1 已经不在了。</translation>
    </message>
    <message>
        <source>It was deleted; what this run took over from it is in its own first checkpoint.</source>
        <translation>它被删除了；这个运行从它接过来的内容在自己的第一个检查点中。</translation>
    </message>
    <message>
        <source>Which classes the model took for which, epoch by epoch</source>
        <translation>模型把哪些类别当作哪些，逐轮查看</translation>
    </message>
    <message>
        <source>Select one run to see its confusion matrices.</source>
        <translation>选中一个运行即可看到它的混淆矩阵。</translation>
    </message>
    <message>
        <source>A run that is on cannot be deleted. Stop it first.</source>
        <translation>正在进行的运行不能删除。请先停止它。</translation>
    </message>
    <message>
        <source>Select the runs that are to be deleted.</source>
        <translation>请选择要删除的运行。</translation>
    </message>
    <message>
        <source>Delete the selected runs with their checkpoints, after a question</source>
        <translation>询问后删除选中的运行及其检查点</translation>
    </message>
    <message>
        <source>Add confusion_matrix</source>
        <translation>添加 confusion_matrix</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::SettingForm</name>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>also applies to the run that is on</source>
        <translation>也作用于当前运行</translation>
    </message>
    <message>
        <source>It can change while a run is on.</source>
        <translation>可以在运行进行时更改。</translation>
    </message>
    <message>
        <source>A change applies to the next run.</source>
        <translation>更改作用于下次运行。</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>查找设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation>添加到 %1</translation>
    </message>
    <message>
        <source>Remove from %1</source>
        <translation>从 %1 移除</translation>
    </message>
    <message>
        <source>Move in %1</source>
        <translation>在 %1 中移动</translation>
    </message>
    <message numerus="yes">
        <source>epoch(s)</source>
        <translation>
            <numerusform>轮</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>step(s)</source>
        <translation>
            <numerusform>步</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sample(s)</source>
        <translation>
            <numerusform>个样本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>thread(s)</source>
        <translation>
            <numerusform>个线程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>batch(es)</source>
        <translation>
            <numerusform>个批次</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all groups of settings</source>
        <translation>展开所有设置组</translation>
    </message>
    <message>
        <source>Fold all groups of settings</source>
        <translation>折叠所有设置组</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::SourceTable</name>
    <message>
        <source>Sources of the data</source>
        <translation>数据来源</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置 %1</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::StatusPanel</name>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>%1 tensors</source>
        <translation>张量 %1</translation>
    </message>
    <message>
        <source>epoch %1/%2 · step %3</source>
        <translation>第 %1/%2 轮 · 第 %3 步</translation>
    </message>
    <message>
        <source>loading LibTorch</source>
        <translation>正在加载 LibTorch</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source> · %1 MACs a sample</source>
        <translation> · 每样本 %1 MACs</translation>
    </message>
    <message>
        <source>no LibTorch</source>
        <translation>没有 LibTorch</translation>
    </message>
    <message>
        <source>LibTorch ready</source>
        <translation>LibTorch 就绪</translation>
    </message>
    <message>
        <source>State of the run</source>
        <translation>运行的状态</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 parameter(s)</source>
        <translation>
            <numerusform>%1 个参数</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::gui::SweepDialog</name>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Each trial draws its values independently and evenly (Bergstra and Bengio 2012); of lists alone each combination comes once.</source>
        <translation>每个试验独立而均匀地抽取它的值（Bergstra 和 Bengio 2012）；只有列表时每种组合只出现一次。</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Every combination of the values.</source>
        <translation>值的每一种组合。</translation>
    </message>
    <message>
        <source>Successive halving</source>
        <translation>逐次减半</translation>
    </message>
    <message>
        <source>All trials run some steps, then the better ones go on with several times as many (Jamieson and Talwalkar 2016).</source>
        <translation>所有试验先运行若干步，然后较好的以数倍的步数继续（Jamieson 和 Talwalkar 2016）。</translation>
    </message>
    <message>
        <source>TPE</source>
        <translation>TPE</translation>
    </message>
    <message>
        <source>After ten random trials it tries where it was good (tree-structured Parzen estimator, Bergstra et al. 2011).</source>
        <translation>十次随机试验之后，在效果好的地方尝试（树结构 Parzen 估计，Bergstra 等 2011）。</translation>
    </message>
    <message>
        <source>New sweep</source>
        <translation>新的扫描</translation>
    </message>
    <message>
        <source>Each trial is a run with other values of these settings, in a process of its own.</source>
        <translation>每个试验是一个运行，这些设置取另外的值，在自己的进程中进行。</translation>
    </message>
    <message>
        <source>Save and start</source>
        <translation>保存并开始</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Trials read project.json: what was changed is saved first.</source>
        <translation>试验读取 project.json：先保存所做的更改。</translation>
    </message>
    <message>
        <source>How values are chosen</source>
        <translation>值的选取方法</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>At a time</source>
        <translation>同时进行</translation>
    </message>
    <message numerus="yes">
        <source>Trials at a time; they share the %n processor core(s)</source>
        <translation>
            <numerusform>同时进行的试验数；它们分享 %n 个处理器核心</numerusform>
        </translation>
    </message>
    <message>
        <source>Judged by</source>
        <translation>评判依据</translation>
    </message>
    <message>
        <source>Which value is better</source>
        <translation>哪个值更好</translation>
    </message>
    <message>
        <source>as the series says</source>
        <translation>由序列决定</translation>
    </message>
    <message>
        <source>the smaller one</source>
        <translation>较小的</translation>
    </message>
    <message>
        <source>the larger one</source>
        <translation>较大的</translation>
    </message>
    <message>
        <source>Steps of a trial</source>
        <translation>每个试验的步数</translation>
    </message>
    <message>
        <source>as the project says</source>
        <translation>按项目的设置</translation>
    </message>
    <message>
        <source>First steps of all trials</source>
        <translation>所有试验的最初步数</translation>
    </message>
    <message>
        <source>One goes on of</source>
        <translation>继续者为几分之一</translation>
    </message>
    <message>
        <source>Seed of the values</source>
        <translation>取值的随机种子</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>sweep1, sweep2 …; runs are called as it, with a number behind</source>
        <translation>sweep1、sweep2 …；运行以它加编号命名</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Choose a setting that is to be tried.</source>
        <translation>选择一个要尝试的设置。</translation>
    </message>
    <message>
        <source>%1 is there twice.</source>
        <translation>%1 出现了两次。</translation>
    </message>
    <message>
        <source>Put all of its values into one row.</source>
        <translation>把它的所有值放在一行里。</translation>
    </message>
    <message>
        <source>Say by which series the trials are judged.</source>
        <translation>请指定按哪个序列评判试验。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::SweepFilter</name>
    <message>
        <source>Runs that are shown</source>
        <translation>显示的运行</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>所有运行</translation>
    </message>
    <message>
        <source>Without trials</source>
        <translation>不含试验</translation>
    </message>
    <message>
        <source>Sweep: %1</source>
        <translation>扫描：%1</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::SweepProcess</name>
    <message>
        <source>The program that runs sweeps cannot be started: %1</source>
        <translation>无法启动运行扫描的程序：%1</translation>
    </message>
    <message>
        <source>It belongs beside this one; install Plumbline again.</source>
        <translation>它应该在本程序旁边；请重新安装 Plumbline。</translation>
    </message>
    <message>
        <source>The process that ran the sweep was ended from outside.</source>
        <translation>运行扫描的进程被外部终止了。</translation>
    </message>
    <message>
        <source>Press Resume: trials go on where their last checkpoint is.</source>
        <translation>请按“继续”：试验从各自最后的检查点继续。</translation>
    </message>
    <message>
        <source>The sweep ended with exit code %1.</source>
        <translation>扫描以退出码 %1 结束。</translation>
    </message>
    <message>
        <source>&quot;plumbline sweep&quot; in a terminal says more.</source>
        <translation>在终端中运行 &quot;plumbline sweep&quot; 可以了解更多。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::SweepsPage</name>
    <message>
        <source>%1 (stopping)</source>
        <translation>%1（正在停止）</translation>
    </message>
    <message>
        <source>The program that runs it has been asked to stop.</source>
        <translation>已请求运行它的程序停止。</translation>
    </message>
    <message>
        <source>It is being stopped: its trials are saved first.</source>
        <translation>正在停止：先保存它的试验。</translation>
    </message>
    <message>
        <source>Another program runs this sweep: ask it to save its trials and stop; the sweep can be resumed</source>
        <translation>这个扫描由另一个程序运行：请求它保存试验并停止；之后可以继续这个扫描</translation>
    </message>
    <message>
        <source>The program that runs the sweep %1 does not answer.</source>
        <translation>运行扫描 %1 的程序没有回应。</translation>
    </message>
    <message>
        <source>It is suspended, or of an earlier version: press Ctrl-C where it was started.</source>
        <translation>它被挂起了，或属于较早的版本：请在启动它的地方按 Ctrl-C。</translation>
    </message>
    <message>
        <source>New sweep…</source>
        <translation>新的扫描…</translation>
    </message>
    <message>
        <source>Train with many settings, each trial a run of its own</source>
        <translation>用许多设置训练，每个试验是一个单独的运行</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Filter trials</source>
        <translation>筛选试验</translation>
    </message>
    <message>
        <source>Find a trial…</source>
        <translation>查找试验…</translation>
    </message>
    <message>
        <source>No sweeps yet. A sweep trains this model with many settings and tells which did best.</source>
        <translation>还没有扫描。扫描用许多设置训练这个模型，并指出哪一种最好。</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Use these settings</source>
        <translation>采用这些设置</translation>
    </message>
    <message>
        <source>%1 (unreadable)</source>
        <translation>%1（无法读取）</translation>
    </message>
    <message>
        <source>%1 (running)</source>
        <translation>%1（进行中）</translation>
    </message>
    <message>
        <source>%1 (unfinished)</source>
        <translation>%1（未完成）</translation>
    </message>
    <message>
        <source>The sweep is being started…</source>
        <translation>正在启动扫描…</translation>
    </message>
    <message>
        <source>A process runs its trials.</source>
        <translation>有进程正在运行它的试验。</translation>
    </message>
    <message>
        <source>All of its trials have ended.</source>
        <translation>它的试验都已结束。</translation>
    </message>
    <message>
        <source>Another sweep is on.</source>
        <translation>有另一个扫描在进行。</translation>
    </message>
    <message>
        <source>Go on with the trials that are left</source>
        <translation>继续剩下的试验</translation>
    </message>
    <message>
        <source>Stop the sweep of the project %1; its trials are saved</source>
        <translation>停止项目 %1 的扫描；它的试验会被保存</translation>
    </message>
    <message>
        <source>Stop after the batch that each trial is at, and save; the sweep can be resumed</source>
        <translation>各试验在当前批次之后停止并保存；扫描可以继续</translation>
    </message>
    <message>
        <source>No sweep is on.</source>
        <translation>没有扫描在进行。</translation>
    </message>
    <message>
        <source>While the sweep can go on, the project stays as it is: a change would keep it from being resumed.</source>
        <translation>只要扫描还能继续，项目就保持原样：更改会使它无法继续。</translation>
    </message>
    <message>
        <source>Write the values of this trial into the project; one undo step</source>
        <translation>把这个试验的值写入项目；一个撤销步骤</translation>
    </message>
    <message>
        <source>Select one trial to write its values into the project.</source>
        <translation>选中一个试验，即可把它的值写入项目。</translation>
    </message>
    <message>
        <source>project.json was changed by another program since it was read, and trials read it.</source>
        <translation>project.json 在读取之后被另一个程序更改，而试验要读取它。</translation>
    </message>
    <message>
        <source>Save or reload the project first.</source>
        <translation>请先保存或重新载入项目。</translation>
    </message>
    <message>
        <source>The project has changes that are not saved, and trials read project.json as it was saved.</source>
        <translation>项目有未保存的更改，而试验读取保存在 project.json 中的内容。</translation>
    </message>
    <message>
        <source>Save them or undo them first. A sweep goes on only with the project that it began with.</source>
        <translation>请先保存或撤销。扫描只能以开始时的项目继续。</translation>
    </message>
    <message>
        <source>Use the settings of trial %1</source>
        <translation>采用试验 %1 的设置</translation>
    </message>
    <message>
        <source>The project has the settings of trial %1 now.</source>
        <translation>项目现在采用试验 %1 的设置。</translation>
    </message>
    <message>
        <source>Ctrl+Z takes them back.</source>
        <translation>Ctrl+Z 可以撤回。</translation>
    </message>
    <message>
        <source>A sweep is on</source>
        <translation>有扫描在进行</translation>
    </message>
    <message>
        <source>To close the program, the sweep that is on has to stop. Its trials are saved first and can be resumed.</source>
        <translation>要关闭程序，正在进行的扫描必须停止。它的试验会先保存，以后可以继续。</translation>
    </message>
    <message>
        <source>Stop the sweep</source>
        <translation>停止扫描</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>Sweeps</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Open a project first.</source>
        <translation>请先打开一个项目。</translation>
    </message>
    <message>
        <source>One sweep at a time: that of the project %1 is on.</source>
        <translation>一次只能进行一个扫描：项目 %1 的扫描正在进行。</translation>
    </message>
    <message>
        <source>The window closes once the trials are saved.</source>
        <translation>试验保存之后，窗口就会关闭。</translation>
    </message>
    <message>
        <source>the sweep is stopping: trials are saved</source>
        <translation>扫描正在停止：正在保存试验</translation>
    </message>
    <message>
        <source>a sweep is on</source>
        <translation>正在扫描</translation>
    </message>
    <message>
        <source>sweep %1 · %2 of %3 trials</source>
        <translation>扫描 %1 · %3 个试验中的 %2 个</translation>
    </message>
    <message>
        <source>A run is on, and both would share processor and memory.</source>
        <translation>有运行正在进行，两者会争用处理器和内存。</translation>
    </message>
    <message>
        <source>Stop the run or wait for its end, then start the sweep.</source>
        <translation>请停止该运行或等它结束，然后开始扫描。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::TrainPage</name>
    <message>
        <source>S&amp;moothing</source>
        <translation>平滑(&amp;M)</translation>
    </message>
    <message>
        <source>Smoothing of the curves</source>
        <translation>曲线平滑</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Log scale</source>
        <translation>对数刻度</translation>
    </message>
    <message>
        <source>Show all plots</source>
        <translation>显示全部图</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Loader wait</source>
        <translation>加载等待</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Process memory</source>
        <translation>进程内存</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>准备中…</translation>
    </message>
    <message>
        <source>No run shown</source>
        <translation>未显示运行</translation>
    </message>
    <message>
        <source>Run %1 · %2</source>
        <translation>运行 %1 · %2</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Find a setting…</source>
        <translation>查找设置…</translation>
    </message>
    <message>
        <source>Show the findings of this run</source>
        <translation>显示此运行的发现</translation>
    </message>
    <message>
        <source>Profile this run…</source>
        <translation>对此运行做性能分析…</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>Where the time and the memory of this run&apos;s steps go</source>
        <translation>此运行各步的时间和内存用在哪里</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::TrainPlots</name>
    <message>
        <source>Nothing yet. Press F5 to train this model.</source>
        <translation>还没有内容。按 F5 训练此模型。</translation>
    </message>
    <message>
        <source>Nothing yet: values come with the first steps.</source>
        <translation>还没有内容：最初几步后才有数值。</translation>
    </message>
    <message>
        <source>Nothing yet: values come with the first validation.</source>
        <translation>还没有内容：首次验证后才有数值。</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2 范数</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>loader wait</source>
        <translation>加载等待</translation>
    </message>
    <message>
        <source>loader wait (ms)</source>
        <translation>加载等待（毫秒）</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Largest gradient</source>
        <translation>最大梯度</translation>
    </message>
    <message>
        <source>largest magnitude</source>
        <translation>最大绝对值</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>batches ahead</source>
        <translation>预取的批次</translation>
    </message>
    <message>
        <source>activations, most so far</source>
        <translation>激活值，迄今最大</translation>
    </message>
    <message>
        <source>Learning rate axis</source>
        <translation>学习率坐标轴</translation>
    </message>
    <message>
        <source>By its values: logarithmic above two decades</source>
        <translation>按数值：跨度超过两个数量级时用对数</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>%1 is %2 from step %3 on</source>
        <translation>%1 从第 %3 步起为 %2</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::TrialLink</name>
    <message>
        <source>No trial has begun yet.</source>
        <translation>还没有试验开始。</translation>
    </message>
    <message>
        <source>No trial lies in the marked ranges.</source>
        <translation>没有试验落在标出的范围内。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::TrialModel</name>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>dropped: others were better</source>
        <translation>已淘汰：别的更好</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n trial(s) finished</source>
        <translation>
            <numerusform>%n 个试验中完成 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n 个运行中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stopped</source>
        <translation>
            <numerusform>%n 个已停止</numerusform>
        </translation>
    </message>
    <message>
        <source>best: trial %1, %2 %3</source>
        <translation>最好：试验 %1，%2 %3</translation>
    </message>
    <message>
        <source>The best trial</source>
        <translation>最好的试验</translation>
    </message>
    <message>
        <source>%1 at its best point of the run</source>
        <translation>运行中 %1 的最好值</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::TrialPlot</name>
    <message>
        <source>&amp;Parameter</source>
        <translation>参数(&amp;P)</translation>
    </message>
    <message>
        <source>Parameter of the plot</source>
        <translation>图中的参数</translation>
    </message>
    <message>
        <source>Objective over a parameter, a dot a trial</source>
        <translation>目标值随参数的变化，一点是一个试验</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>A dot appears here as each trial ends.</source>
        <translation>每个试验结束时，这里会出现一个点。</translation>
    </message>
    <message>
        <source>trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>best trial</source>
        <translation>最好的试验</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::TrialViews</name>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>How trials are drawn</source>
        <translation>试验的画法</translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>One parameter</source>
        <translation>单个参数</translation>
    </message>
    <message>
        <source>Parallel coordinates, a line a trial</source>
        <translation>平行坐标，一条线是一个试验</translation>
    </message>
    <message>
        <source>A line appears here as each trial begins.</source>
        <translation>每个试验开始时，这里会出现一条线。</translation>
    </message>
    <message>
        <source>Clear ranges</source>
        <translation>清除范围</translation>
    </message>
    <message>
        <source>Show all trials again (Escape in the plot)</source>
        <translation>重新显示所有试验（在图中按 Esc）</translation>
    </message>
    <message>
        <source>More about the plot</source>
        <translation>图的更多操作</translation>
    </message>
    <message>
        <source>Copy or export the plot</source>
        <translation>复制或导出此图</translation>
    </message>
    <message>
        <source>Trials of the sweep %1</source>
        <translation>扫描 %1 的试验</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n trial(s) in the marked ranges</source>
        <translation>
            <numerusform>%n 个试验中有 %1 个在标出的范围内</numerusform>
        </translation>
    </message>
    <message>
        <source>Drag along an axis to mark a range; click a line to select its trial.</source>
        <translation>沿轴拖动可标出范围；点击一条线可选中它的试验。</translation>
    </message>
    <message>
        <source>trial %1</source>
        <translation>试验 %1</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::TryPanel</name>
    <message>
        <source>Try the model</source>
        <translation>试用模型</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>An image file, or columns as a=1, b=2</source>
        <translation>图像文件，或写出各列：a=1, b=2</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Probability of each class</source>
        <translation>各类别的概率</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Select one run to ask its model.</source>
        <translation>选择一个运行以询问其模型。</translation>
    </message>
    <message>
        <source>LibTorch is not loaded, so the model cannot compute.</source>
        <translation>LibTorch 未加载，模型无法计算。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Uses the best checkpoint of run %1.</source>
        <translation>使用运行 %1 的最佳检查点。</translation>
    </message>
    <message>
        <source>Choose an input</source>
        <translation>选择输入</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>What the model is asked about</source>
        <translation>向模型提问的对象</translation>
    </message>
    <message>
        <source>Test sample</source>
        <translation>测试样本</translation>
    </message>
    <message>
        <source>Validation sample</source>
        <translation>验证样本</translation>
    </message>
    <message>
        <source>Training sample</source>
        <translation>训练样本</translation>
    </message>
    <message>
        <source>File or values</source>
        <translation>文件或数值</translation>
    </message>
    <message>
        <source>Number of the sample</source>
        <translation>样本编号</translation>
    </message>
    <message>
        <source>The sample as the model gets it</source>
        <translation>模型所得到的样本</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>This split holds no sample.</source>
        <translation>该划分没有样本。</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.jpeg)</source>
        <translation>图像 (*.png *.jpg *.jpeg)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Reading the data of this run…</source>
        <translation>正在读取该运行的数据…</translation>
    </message>
    <message>
        <source>Predicts %1 with a probability of %2 %.</source>
        <translation>预测为 %1，概率 %2 %。</translation>
    </message>
    <message>
        <source>Its true label is %1.</source>
        <translation>真实标签是 %1。</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Predicts %1. The true value is %2, so it is off by %3.</source>
        <translation>预测为 %1。真实值是 %2，相差 %3。</translation>
    </message>
    <message>
        <source>Pick at random</source>
        <translation>随机选取</translation>
    </message>
    <message>
        <source>The sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>For the model</source>
        <translation>模型所得</translation>
    </message>
    <message>
        <source>Reading the data was stopped.</source>
        <translation>已停止读取数据。</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>停止读取</translation>
    </message>
    <message>
        <source>(%1 as the model gives it)</source>
        <translation>（模型给出 %1）</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::WelcomePage</name>
    <message>
        <source>The training workbench that tells you when your model is silently wrong.</source>
        <translation>当模型悄然出错时会告诉你的训练工作台。</translation>
    </message>
    <message>
        <source>New from template…</source>
        <translation>从模板新建…</translation>
    </message>
    <message>
        <source>Open a project…</source>
        <translation>打开项目…</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>最近的项目</translation>
    </message>
    <message>
        <source>Sample projects</source>
        <translation>示例项目</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Samples, with data</source>
        <translation>示例（含数据）</translation>
    </message>
    <message>
        <source>Double click opens one; each trains on this machine.</source>
        <translation>双击打开；每个都可在本机训练。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Start from my data…</source>
        <translation>用我的数据开始…</translation>
    </message>
    <message>
        <source>A table, an IDX file or a folder of images; it can also be dropped on this window.</source>
        <translation>表格、IDX 文件或图像文件夹；也可以拖到此窗口。</translation>
    </message>
    <message>
        <source>No project was opened yet. Start from your data, a template or a sample.</source>
        <translation>还没有打开过项目。请从您的数据、模板或示例开始。</translation>
    </message>
</context>
<context>
    <name>plumbline::gui::Workspace</name>
    <message>
        <source>Trust this package…</source>
        <translation>信任这个编译包…</translation>
    </message>
    <message>
        <source>This project can only be read where it is: its folder cannot be written.</source>
        <translation>该项目在此处只能读取：其文件夹不可写。</translation>
    </message>
    <message>
        <source>Save it elsewhere to train it and to keep changes.</source>
        <translation>请另存到别处，以便训练和保留更改。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>A sweep is on, and both would share processor and memory.</source>
        <translation>有扫描正在进行，两者会争用处理器和内存。</translation>
    </message>
    <message>
        <source>Stop the sweep (Shift+F5), which saves its trials, or wait for its end.</source>
        <translation>请停止扫描（Shift+F5，会保存其试验），或等它结束。</translation>
    </message>
    <message>
        <source>Show the sweep</source>
        <translation>显示扫描</translation>
    </message>
    <message>
        <source>Show the setting</source>
        <translation>显示该设置</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::BarChart</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>无数值</translation>
    </message>
    <message>
        <source>bin</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Bar chart</source>
        <translation>柱状图</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::CanvasList</name>
    <message>
        <source>Blocks</source>
        <translation>模块</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::CanvasListModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Output shape</source>
        <translation>输出形状</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::CanvasView</name>
    <message>
        <source>Overview of the canvas</source>
        <translation>画布概览</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n 个模块</numerusform>
        </translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>Output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source> (optional)</source>
        <translation>（可选）</translation>
    </message>
    <message>
        <source> (any number)</source>
        <translation>（任意数量）</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>画布</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>输入命令</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::FilterTable</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>No row contains &quot;%1&quot;.</source>
        <translation>没有包含“%1”的行。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::FlameChart</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::FormRow</name>
    <message>
        <source>Write an expression</source>
        <translation>编写表达式</translation>
    </message>
    <message>
        <source>Write an expression for %1</source>
        <translation>为 %1 编写表达式</translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation>浏览 %1</translation>
    </message>
    <message>
        <source>Browse</source>
        <translation>浏览</translation>
    </message>
    <message>
        <source>Unit: %1.</source>
        <translation>单位：%1。</translation>
    </message>
    <message>
        <source>Default: %1.</source>
        <translation>默认：%1。</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>重置 %1</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset to the default, %1</source>
        <translation>重置为默认值 %1</translation>
    </message>
    <message>
        <source>%1 (not a choice)</source>
        <translation>%1（不在选项中）</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Move %1 up</source>
        <translation>上移 %1</translation>
    </message>
    <message>
        <source>Move %1 down</source>
        <translation>下移 %1</translation>
    </message>
    <message>
        <source>Press Down for a list of what there is.</source>
        <translation>按向下键列出可选项。</translation>
    </message>
    <message>
        <source>Exactly: %1</source>
        <translation>准确值：%1</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::FormWidget</name>
    <message>
        <source>Nothing here is called &quot;%1&quot;.</source>
        <translation>这里没有名为“%1”的项目。</translation>
    </message>
    <message>
        <source>Show the settings of this group</source>
        <translation>展开这一组设置</translation>
    </message>
    <message>
        <source>Fold this group away</source>
        <translation>折叠这一组</translation>
    </message>
    <message>
        <source>%1, with a problem: %2</source>
        <translation>%1，有问题：%2</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::ImageGrid</name>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::MessageBanner</name>
    <message>
        <source>Dismiss message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::NumberTile</name>
    <message>
        <source>no value</source>
        <translation>无数值</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::ParallelPlot</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1: %2 to %3</source>
        <translation>%1：%2 到 %3</translation>
    </message>
    <message>
        <source>%1: none</source>
        <translation>%1：无</translation>
    </message>
    <message>
        <source>%1 (the best)</source>
        <translation>%1（最好）</translation>
    </message>
    <message>
        <source>line</source>
        <translation>线</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) over %1</source>
        <translation>
            <numerusform>%n 条线，坐标轴：%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n line(s)</source>
        <translation>
            <numerusform>%1 · %n 条线</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy values</source>
        <translation>复制数值</translation>
    </message>
    <message>
        <source>Export plot…</source>
        <translation>导出图…</translation>
    </message>
    <message>
        <source>Clear ranges</source>
        <translation>清除范围</translation>
    </message>
    <message>
        <source>A plot is exported as .png, .svg, .pdf or .csv, not as &quot;%1&quot;. Change the file&apos;s ending.</source>
        <translation>图可导出为 .png、.svg、.pdf 或 .csv，不能导出为 &quot;%1&quot;。请更改文件的扩展名。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2. Choose another folder.</source>
        <translation>无法写入 %1：%2。请选择另一个文件夹。</translation>
    </message>
    <message>
        <source>Export plot</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 图形 (*.svg)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
    <message>
        <source>CSV table (*.csv)</source>
        <translation>CSV 表格 (*.csv)</translation>
    </message>
    <message>
        <source>plot</source>
        <translation>图</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::PlotHeader</name>
    <message>
        <source>Reset zoom</source>
        <translation>重置缩放</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Enlarge or restore this plot</source>
        <translation>放大或还原此图</translation>
    </message>
    <message>
        <source>Close this plot</source>
        <translation>关闭此图</translation>
    </message>
    <message>
        <source>More series</source>
        <translation>更多曲线</translation>
    </message>
    <message>
        <source>Choose what this plot shows</source>
        <translation>选择此图显示的内容</translation>
    </message>
    <message>
        <source>%1: choose what this plot shows</source>
        <translation>%1：选择此图显示的内容</translation>
    </message>
    <message>
        <source>Drag to move this plot</source>
        <translation>拖动可移动此图</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::PlotValuesModel</name>
    <message>
        <source>Series</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Least</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::PlotWidget</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>time (h:min:s)</source>
        <translation>时间（时:分:秒）</translation>
    </message>
    <message>
        <source>%1 (raw %2)</source>
        <translation>%1（原始 %2）</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>No values yet.</source>
        <translation>还没有数值。</translation>
    </message>
    <message>
        <source>Reset zoom</source>
        <translation>重置缩放</translation>
    </message>
    <message>
        <source>Logarithmic y axis</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>Logarithmic x axis</source>
        <translation>对数横轴</translation>
    </message>
    <message>
        <source>X axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>Show values as a table</source>
        <translation>以表格显示数值</translation>
    </message>
    <message>
        <source>Copy plot</source>
        <translation>复制图</translation>
    </message>
    <message>
        <source>Export plot…</source>
        <translation>导出图…</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>第 %1 步：%2</translation>
    </message>
    <message>
        <source>Export plot</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
    <message>
        <source>CSV table (*.csv)</source>
        <translation>CSV 表格 (*.csv)</translation>
    </message>
    <message>
        <source>plot</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Plot: %1</source>
        <translation>图：%1</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Values: %1</source>
        <translation>数值：%1</translation>
    </message>
    <message>
        <source>%1 is %2 at step %3</source>
        <translation>%1 在第 %3 步为 %2</translation>
    </message>
    <message>
        <source>, between %1 and %2</source>
        <translation>，介于 %1 与 %2 之间</translation>
    </message>
    <message numerus="yes">
        <source>, %n value(s) not finite</source>
        <translation>
            <numerusform>，%n 个非有限值</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n mark(s)</source>
        <translation>
            <numerusform>%n 个标记</numerusform>
        </translation>
    </message>
    <message>
        <source>A plot is exported as .png, .svg, .pdf or .csv, not as &quot;%1&quot;. Change the file&apos;s ending.</source>
        <translation>图可导出为 .png、.svg、.pdf 或 .csv，而不是“%1”。请更改文件扩展名。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2. Choose another folder.</source>
        <translation>无法写入 %1：%2。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) skipped</source>
        <translation>
            <numerusform>跳过 %n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is %2 at %3 %4</source>
        <translation>%1 在 %3 为 %4 处是 %2</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::QuickSearchPopup</name>
    <message>
        <source>Add a block</source>
        <translation>添加模块</translation>
    </message>
    <message>
        <source>Add a block: type its name</source>
        <translation>添加模块：输入名称</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::ScaleBar</name>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1，从 %2 到 %3</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::SearchPopup</name>
    <message>
        <source>Nothing found. Try fewer letters.</source>
        <translation>没有找到。请减少输入的字母。</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::SeriesChip</name>
    <message>
        <source>%1, newest value %2</source>
        <translation>%1，最新值 %2</translation>
    </message>
    <message>
        <source>%1: click to hide</source>
        <translation>%1：单击隐藏</translation>
    </message>
    <message>
        <source>%1: click to show</source>
        <translation>%1：单击显示</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::StatusChip</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>plumbline::widgets::Theme</name>
    <message>
        <source>critical</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>info</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>good</source>
        <translation>良好</translation>
    </message>
    <message>
        <source>Input and output</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Recurrent and attention</source>
        <translation>循环与注意力</translation>
    </message>
    <message>
        <source>Merge and tensor</source>
        <translation>合并与张量</translation>
    </message>
    <message>
        <source>Regularisation</source>
        <translation>正则化</translation>
    </message>
    <message>
        <source>Composites</source>
        <translation>复合模块</translation>
    </message>
    <message>
        <source>Plug-ins</source>
        <translation>插件</translation>
    </message>
</context>
</TS>
