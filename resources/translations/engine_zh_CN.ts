<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Engine</name>
    <message><source>Marks a value that comes in from outside; passes it on unchanged.</source><translation>标记从外部进入的值；原样传递。</translation></message>
    <message><source>Marks a value that goes out; passes it on unchanged.</source><translation>标记输出的值；原样传递。</translation></message>
    <message><source>Passes its input on unchanged.</source><translation>原样传递输入。</translation></message>
    <message><source>Passes values on and stops gradients: nothing upstream learns through it.</source><translation>传递数值但截断梯度：上游不会经由它学习。</translation></message>
    <message><source>Weighted sums of the last dimension: y = x W^T + b.</source><translation>最后一维的加权和：y = x W^T + b。</translation></message>
    <message><source>Size of the input's last dimension</source><translation>输入最后一维的大小</translation></message>
    <message><source>Size of the output's last dimension</source><translation>输出最后一维的大小</translation></message>
    <message><source>Adds a learned offset</source><translation>加上可学习的偏置</translation></message>
    <message><source>Slides learned filters over height and width: [B, C, H, W] to [B, out_channels, H', W'].</source><translation>可学习的滤波器在高和宽上滑动：[B, C, H, W] 到 [B, out_channels, H', W']。</translation></message>
    <message><source>Channels of the input</source><translation>输入的通道数</translation></message>
    <message><source>Number of filters</source><translation>滤波器数量</translation></message>
    <message><source>Height and width of a filter</source><translation>滤波器的高和宽</translation></message>
    <message><source>Step between two positions of a filter</source><translation>滤波器相邻位置的步距</translation></message>
    <message><source>Rows and columns added around the input; "same" keeps the size</source><translation>输入四周补的行和列；"same" 保持大小不变</translation></message>
    <message><source>Distance between the points of a filter</source><translation>滤波器各点之间的距离</translation></message>
    <message><source>Channels are split into so many independent groups</source><translation>通道分成这么多个独立的组</translation></message>
    <message><source>Adds a learned offset a channel</source><translation>为每个通道加上可学习的偏置</translation></message>
    <message><source>What the padding holds</source><translation>填充的内容</translation></message>
    <message><source>Keeps the largest value of each window.</source><translation>保留每个窗口中的最大值。</translation></message>
    <message><source>Height and width of the window</source><translation>窗口的高和宽</translation></message>
    <message><source>Step between two windows; null = kernel_size</source><translation>相邻窗口的步距；null 即 kernel_size</translation></message>
    <message><source>Rows and columns added around the input</source><translation>输入四周补的行和列</translation></message>
    <message><source>Distance between the points of a window</source><translation>窗口各点之间的距离</translation></message>
    <message><source>Keeps a window that reaches over the edge</source><translation>保留超出边缘的窗口</translation></message>
    <message><source>Averages the values of each window.</source><translation>对每个窗口取平均。</translation></message>
    <message><source>Padding counts in the average</source><translation>填充计入平均</translation></message>
    <message><source>Divides by this instead of the window's size</source><translation>以此值代替窗口大小作除数</translation></message>
    <message><source>Averages so that height and width become output_size, whatever they were.</source><translation>取平均，使高和宽变为 output_size，无论原来多大。</translation></message>
    <message><source>Height and width afterwards; null keeps one as it is</source><translation>之后的高和宽；null 表示保持不变</translation></message>
    <message><source>Normalises each feature over the batch: [B, C] or [B, C, L].</source><translation>在批次上对每个特征归一化：[B, C] 或 [B, C, L]。</translation></message>
    <message><source>Added to the variance</source><translation>加在方差上</translation></message>
    <message><source>Weight of a new batch in the running statistics; null averages over all batches</source><translation>新批次在滑动统计中的权重；null 表示对所有批次取平均</translation></message>
    <message><source>Learns a scale and an offset a channel</source><translation>为每个通道学习缩放和偏移</translation></message>
    <message><source>Keeps running statistics for evaluation</source><translation>保留滑动统计用于评估</translation></message>
    <message><source>Normalises each channel over batch, height and width: [B, C, H, W].</source><translation>在批次、高和宽上对每个通道归一化：[B, C, H, W]。</translation></message>
    <message><source>Normalises each sample over its last dimensions.</source><translation>在最后几维上对每个样本归一化。</translation></message>
    <message><source>The last dimensions; the last one alone unless stated</source><translation>最后几维；不写则只有最后一维</translation></message>
    <message><source>Learns a scale and an offset an element</source><translation>为每个元素学习缩放和偏移</translation></message>
    <message><source>Learns the offset too</source><translation>同时学习偏移</translation></message>
    <message><source>Normalises each sample over groups of channels.</source><translation>按通道组对每个样本归一化。</translation></message>
    <message><source>Number of groups; divides the channels</source><translation>组数；须整除通道数</translation></message>
    <message><source>max(0, x).</source><translation>max(0, x)。</translation></message>
    <message><source>Overwrites its input; whatever else reads that input sees the change</source><translation>覆盖其输入；其他读取该输入者会看到变化</translation></message>
    <message><source>x above zero, negative_slope * x below.</source><translation>大于零为 x，小于零为 negative_slope * x。</translation></message>
    <message><source>Slope below zero</source><translation>零以下的斜率</translation></message>
    <message><source>x times the normal distribution's share below x.</source><translation>x 乘以正态分布中小于 x 的概率。</translation></message>
    <message><source>Exact, or the formula with tanh</source><translation>精确值，或 tanh 近似公式</translation></message>
    <message><source>x times sigmoid(x).</source><translation>x 乘以 sigmoid(x)。</translation></message>
    <message><source>1 / (1 + exp(-x)): any number to between 0 and 1.</source><translation>1 / (1 + exp(-x))：将任意数映射到 0 与 1 之间。</translation></message>
    <message><source>Hyperbolic tangent: any number to between -1 and 1.</source><translation>双曲正切：将任意数映射到 -1 与 1 之间。</translation></message>
    <message><source>Turns scores along dim into shares that add up to 1.</source><translation>将 dim 方向上的分数变为总和为 1 的份额。</translation></message>
    <message><source>Dimension that is normalised (PyTorch's default of None guesses and is deprecated)</source><translation>归一化的维度（PyTorch 的默认值 None 靠猜测，已弃用）</translation></message>
    <message><source>Logarithm of the softmax along dim.</source><translation>dim 方向上 softmax 的对数。</translation></message>
    <message><source>Long short-term memory over a sequence.</source><translation>对序列的长短期记忆网络。</translation></message>
    <message><source>Size of the hidden state</source><translation>隐藏状态的大小</translation></message>
    <message><source>Layers, one on top of the other</source><translation>层数，逐层堆叠</translation></message>
    <message><source>Adds learned offsets</source><translation>加上可学习的偏置</translation></message>
    <message><source>The input is [B, T, features]. PyTorch's default is false: [T, B, features]</source><translation>输入为 [B, T, features]。PyTorch 默认为 false：[T, B, features]</translation></message>
    <message><source>Dropout between layers while training</source><translation>训练时各层之间的 dropout</translation></message>
    <message><source>Reads the sequence from both ends</source><translation>从两端读取序列</translation></message>
    <message><source>Projects the hidden state to this size; 0 = no projection</source><translation>将隐藏状态投影到此大小；0 表示不投影</translation></message>
    <message><source>The sequence</source><translation>序列</translation></message>
    <message><source>Hidden state to start from; zero when left out</source><translation>初始隐藏状态；省略则为零</translation></message>
    <message><source>Cell state to start from; zero when left out</source><translation>初始细胞状态；省略则为零</translation></message>
    <message><source>Hidden state at every step</source><translation>每一步的隐藏状态</translation></message>
    <message><source>Hidden state after the last step</source><translation>最后一步后的隐藏状态</translation></message>
    <message><source>Cell state after the last step</source><translation>最后一步后的细胞状态</translation></message>
    <message><source>Gated recurrent units over a sequence.</source><translation>对序列的门控循环单元。</translation></message>
    <message><source>Looks up a learned vector for each whole number: [...] to [..., embedding_dim].</source><translation>为每个整数查找可学习的向量：[...] 到 [..., embedding_dim]。</translation></message>
    <message><source>Rows of the table; ids go from 0 to this less one</source><translation>表的行数；编号从 0 到此值减一</translation></message>
    <message><source>Size of a vector</source><translation>向量的大小</translation></message>
    <message><source>Row that stays as it is: it gets no gradient</source><translation>保持不变的行：不计算梯度</translation></message>
    <message><source>Rows that are looked up are shortened to this norm</source><translation>被查找的行缩短到此范数</translation></message>
    <message><source>Which norm max_norm means</source><translation>max_norm 所指的范数</translation></message>
    <message><source>Divides gradients by how often an id is in the batch</source><translation>梯度除以编号在批次中出现的次数</translation></message>
    <message><source>Sparse gradients; few optimizers take them</source><translation>稀疏梯度；少数优化器支持</translation></message>
    <message><source>int64 or int32</source><translation>int64 或 int32</translation></message>
    <message><source>Sum of its inputs, element by element.</source><translation>各输入逐元素求和。</translation></message>
    <message><source>Inputs of different shapes are meant, and not warned about</source><translation>输入形状不同是有意的，不发出警告</translation></message>
    <message><source>Any number of tensors</source><translation>任意数量的张量</translation></message>
    <message><source>Product of its inputs, element by element.</source><translation>各输入逐元素求积。</translation></message>
    <message><source>Puts its inputs one behind the other along dim.</source><translation>沿 dim 将各输入依次拼接。</translation></message>
    <message><source>Dimension along which they are joined (torch.cat's own default is 0, the batch)</source><translation>拼接所沿的维度（torch.cat 默认为 0，即批次）</translation></message>
    <message><source>Makes one dimension of start_dim to end_dim.</source><translation>将 start_dim 到 end_dim 合为一维。</translation></message>
    <message><source>First dimension that is folded</source><translation>合并的第一维</translation></message>
    <message><source>Last dimension that is folded</source><translation>合并的最后一维</translation></message>
    <message><source>Gives the values another shape, in the same order.</source><translation>顺序不变，改变形状。</translation></message>
    <message><source>The new sizes, batch included; one may be -1, which stands for what is left</source><translation>新的大小，含批次；其中一个可为 -1，表示剩余部分</translation></message>
    <message><source>Puts the dimensions in another order.</source><translation>改变维度的顺序。</translation></message>
    <message><source>All dimensions, in their new order</source><translation>所有维度，按新的顺序</translation></message>
    <message><source>Takes one index of a dimension, which is then gone: the last step of a sequence by default.</source><translation>取某一维的一个下标，该维随之消失：默认取序列的最后一步。</translation></message>
    <message><source>Dimension</source><translation>维度</translation></message>
    <message><source>Index; -1 is the last</source><translation>下标；-1 为最后一个</translation></message>
    <message><source>Average over some dimensions, or over all.</source><translation>对某些维度或全部维度取平均。</translation></message>
    <message><source>Dimensions that are averaged; null = all</source><translation>取平均的维度；null 表示全部</translation></message>
    <message><source>Keeps them with size 1</source><translation>以大小 1 保留这些维度</translation></message>
    <message><source>Index of the largest value along dim: from scores to a class.</source><translation>dim 方向上最大值的下标：由分数得到类别。</translation></message>
    <message><source>Keeps it with size 1</source><translation>以大小 1 保留该维度</translation></message>
    <message><source>Converts the values to another dtype.</source><translation>转换为另一种 dtype。</translation></message>
    <message><source>The new dtype</source><translation>新的 dtype</translation></message>
    <message><source>Sets single values to zero by chance while training.</source><translation>训练时随机将单个值置零。</translation></message>
    <message><source>Chance of being set to zero in training</source><translation>训练时被置零的概率</translation></message>
    <message><source>Sets whole channels to zero by chance while training.</source><translation>训练时随机将整个通道置零。</translation></message>
    <message><source>How many times the training split is seen; 0 goes on until stop.steps.</source><translation>训练集被遍历的次数；0 表示一直训练到 stop.steps。</translation></message>
    <message><source>Run</source><translation>运行</translation></message>
    <message><source>Stops after this many optimizer steps; 0 is no limit.</source><translation>达到这么多优化步后停止；0 为不限。</translation></message>
    <message><source>Decides initial weights, order of samples, dropout and augmentation.</source><translation>决定初始权重、样本顺序、dropout 和数据增强。</translation></message>
    <message><source>auto (CUDA where it is, else the CPU), cpu, or cuda:0 and up.</source><translation>auto（有 CUDA 则用，否则用 CPU）、cpu，或 cuda:0 及以上。</translation></message>
    <message><source>Element type of the forward and backward pass under autocast; parameters stay float32.</source><translation>autocast 下前向与反向的元素类型；参数保持 float32。</translation></message>
    <message><source>deterministic: the same bits every time; research: deterministic cuDNN and full float32; production: cuDNN picks the fastest kernels and TF32 is allowed; debug: deterministic, and a backward pass that gives NaN ends the run with the operation's name.</source><translation>deterministic：每次逐位相同；research：确定性 cuDNN 与完整的 float32；production：由 cuDNN 选择最快内核并允许 TF32；debug：确定性，反向传播出现 NaN 时结束运行并给出运算名称。</translation></message>
    <message><source>Layout of 4-d tensors; auto takes channels_last for convolutional models.</source><translation>四维张量的内存布局；auto 对卷积模型采用 channels_last。</translation></message>
    <message><source>Threads one operation may use; 0 lets the program choose.</source><translation>单个运算可用的线程数；0 由程序选择。</translation></message>
    <message><source>What is minimised: a list of {"type", "output", "target", "weight"}; types CrossEntropyLoss, MSELoss, BCEWithLogitsLoss.</source><translation>最小化的目标：{"type", "output", "target", "weight"} 的列表；类型为 CrossEntropyLoss、MSELoss、BCEWithLogitsLoss。</translation></message>
    <message><source>Goal</source><translation>目标</translation></message>
    <message><source>What is measured: a list of {"type", "output", "target"}; types accuracy, mae, rmse.</source><translation>度量的指标：{"type", "output", "target"} 的列表；类型为 accuracy、mae、rmse。</translation></message>
    <message><source>The update rule, as in torch.optim.</source><translation>更新规则，与 torch.optim 相同。</translation></message>
    <message><source>Optimizer</source><translation>优化器</translation></message>
    <message><source>Learning rate before the schedule.</source><translation>调度前的学习率。</translation></message>
    <message><source>Decoupled in AdamW (0.01 where it is left out), added to the gradient in SGD and Adam.</source><translation>在 AdamW 中解耦（未设置时为 0.01），在 SGD 和 Adam 中加到梯度上。</translation></message>
    <message><source>Share of the last update that is kept.</source><translation>保留上次更新的比例。</translation></message>
    <message><source>Damps the gradient's share of the momentum.</source><translation>减弱梯度在动量中的比例。</translation></message>
    <message><source>Looks ahead along the momentum.</source><translation>沿动量方向前瞻。</translation></message>
    <message><source>Decay of the running mean of the gradient and of its square.</source><translation>梯度及其平方的滑动平均的衰减率。</translation></message>
    <message><source>Added to the denominator.</source><translation>加在分母上。</translation></message>
    <message><source>Keeps the largest second moment seen.</source><translation>保留出现过的最大二阶矩。</translation></message>
    <message><source>Maximises the loss instead.</source><translation>改为最大化损失。</translation></message>
    <message><source>Overrides by parameter name: a list of {"match": "*.bn.*", "lr", "weight_decay"}; the first match wins.</source><translation>按参数名覆盖：{"match": "*.bn.*", "lr", "weight_decay"} 的列表；先匹配者生效。</translation></message>
    <message><source>How the learning rate goes on. cosine: linear warm-up, then half a cosine down to min_lr.</source><translation>学习率如何变化。cosine：先线性预热，再按半个余弦降到 min_lr。</translation></message>
    <message><source>Schedule</source><translation>调度</translation></message>
    <message><source>What the schedule counts in.</source><translation>调度的计数单位。</translation></message>
    <message><source>Linear rise from near 0 to the full rate over so many units.</source><translation>在这么多单位内从接近 0 线性升到完整学习率。</translation></message>
    <message><source>The rate is multiplied by gamma every so many units.</source><translation>每隔这么多单位，学习率乘以 gamma。</translation></message>
    <message><source>Factor at each drop.</source><translation>每次下降的系数。</translation></message>
    <message><source>Where the cosine ends.</source><translation>余弦的终点。</translation></message>
    <message><source>Length of warm-up and cosine; 0 is the whole run.</source><translation>预热与余弦的总长；0 为整个运行。</translation></message>
    <message><source>Limits the gradient after it is unscaled.</source><translation>在反缩放之后限制梯度。</translation></message>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>Largest norm of all gradients together.</source><translation>所有梯度合计的最大范数。</translation></message>
    <message><source>Which norm; 2 is the Euclidean one.</source><translation>哪种范数；2 为欧几里得范数。</translation></message>
    <message><source>Batches whose gradients are averaged before a step; the tail of an epoch is flushed.</source><translation>一步之前平均梯度的批次数；每轮末尾的余量也会更新。</translation></message>
    <message><source>First loss scale.</source><translation>初始损失缩放。</translation></message>
    <message><source>Factor after growth_interval good steps.</source><translation>经过 growth_interval 个正常步后的系数。</translation></message>
    <message><source>Factor after a skipped step.</source><translation>跳过一步后的系数。</translation></message>
    <message><source>Good steps before the scale grows.</source><translation>缩放增大之前的正常步数。</translation></message>
    <message><source>How often the validation split is evaluated; 0 is never.</source><translation>评估验证集的频率；0 为从不。</translation></message>
    <message><source>Validation and checkpoints</source><translation>验证与检查点</translation></message>
    <message><source>What validation.every counts in.</source><translation>validation.every 的计数单位。</translation></message>
    <message><source>How often a checkpoint is written besides the first and the last; 0 is never.</source><translation>除首尾外写检查点的频率；0 为从不。</translation></message>
    <message><source>What checkpoints.every counts in.</source><translation>checkpoints.every 的计数单位。</translation></message>
    <message><source>Older ones are removed; the best is kept besides.</source><translation>较旧的会被删除；最佳的另行保留。</translation></message>
    <message><source>Series whose best value marks the best checkpoint, as val.accuracy.</source><translation>以其最佳值标记最佳检查点的曲线，例如 val.accuracy。</translation></message>
    <message><source>Whether a smaller or a larger value is better.</source><translation>数值越小越好还是越大越好。</translation></message>
    <message><source>Samples a batch.</source><translation>每批样本数。</translation></message>
    <message><source>Data</source><translation>数据</translation></message>
    <message><source>Threads that make batches ahead; 0 makes them in the training thread.</source><translation>预先生成批次的线程数；0 为在训练线程中生成。</translation></message>
    <message><source>Batches ready or in the making, over all workers.</source><translation>所有工作线程中已就绪或生成中的批次数。</translation></message>
    <message><source>A new order of the training split every epoch.</source><translation>每轮重新打乱训练集的顺序。</translation></message>
    <message><source>Leaves out the last batch of an epoch when it is not full.</source><translation>每轮最后一批不满时舍去。</translation></message>
    <message><source>Share of the samples to train on.</source><translation>用于训练的样本比例。</translation></message>
    <message><source>Share of the samples to choose by.</source><translation>用于挑选的样本比例。</translation></message>
    <message><source>Share of the samples for the last word.</source><translation>用于最终检验的样本比例。</translation></message>
    <message><source>Target whose classes keep their shares in every split.</source><translation>各划分中保持类别比例的目标。</translation></message>
    <message><source>Which samples fall into which split.</source><translation>决定哪些样本落入哪个划分。</translation></message>
    <message><source>Steps between statistics of gradients and updates: auto keeps their cost under 2 % of step time, or a number.</source><translation>梯度与更新统计之间的步数：auto 使其开销低于步时的 2 %，或填数字。</translation></message>
    <message><source>Monitor</source><translation>监视</translation></message>
    <message><source>Watches the run for silent problems.</source><translation>监视运行中悄然出现的问题。</translation></message>
    <message><source>Thresholds by detector, as {"loader-stall": {"enabled": false}}; plumbline detectors lists them.</source><translation>各检测器的阈值，例如 {"loader-stall": {"enabled": false}}；plumbline detectors 可列出。</translation></message>
    <message><source>Clips the gradient while it is still scaled.</source><translation>在梯度仍被缩放时裁剪。</translation></message>
    <message><source>Expert: mistakes on purpose</source><translation>专家：故意犯错</translation></message>
    <message><source>Clips and logs without unscaling; the step unscales.</source><translation>不反缩放就裁剪和记录；由更新步反缩放。</translation></message>
    <message><source>Never lets the loss scale adapt.</source><translation>从不调整损失缩放。</translation></message>
    <message><source>Gradients of all steps add up.</source><translation>各步的梯度不断累加。</translation></message>
    <message><source>Throws the gradient away just before the step.</source><translation>就在更新前丢弃梯度。</translation></message>
    <message><source>Leaves dropout and BatchNorm in training mode in validation.</source><translation>验证时让 dropout 和 BatchNorm 停留在训练模式。</translation></message>
    <message><source>Goes on training in eval mode after the first validation.</source><translation>首次验证后以 eval 模式继续训练。</translation></message>
    <message><source>Advances an epoch schedule with every batch.</source><translation>每个批次都推进按轮的调度。</translation></message>
    <message><source>Advances the schedule although the scaler skipped the step.</source><translation>即使缩放器跳过该步，仍推进调度。</translation></message>
    <message><source>Lets an element-wise loss broadcast prediction against target.</source><translation>允许逐元素损失在预测与目标之间广播。</translation></message>
    <message><source>Every loader worker draws the same augmentation.</source><translation>每个加载线程都产生相同的增强。</translation></message>
    <message><source>Every epoch has the order of the first.</source><translation>每轮都沿用第一轮的顺序。</translation></message>
    <message><source>Multilayer perceptron</source><translation>多层感知机</translation></message>
    <message><source>Linear layers with ReLU for tables: classification.</source><translation>用于表格分类的线性层与 ReLU。</translation></message>
    <message><source>Small CNN</source><translation>小型 CNN</translation></message>
    <message><source>Convolution, BatchNorm and ReLU blocks for small images.</source><translation>用于小图像的卷积、BatchNorm 与 ReLU 模块。</translation></message>
    <message><source>ResNet-18</source><translation>ResNet-18</translation></message>
    <message><source>Residual network of 18 layers with torchvision's parameter names.</source><translation>18 层残差网络，参数名与 torchvision 相同。</translation></message>
    <message><source>LSTM classifier</source><translation>LSTM 分类器</translation></message>
    <message><source>Embedding, LSTM and a linear head on the last time step, for token sequences.</source><translation>用于词元序列：嵌入、LSTM，以及最后时间步上的线性头。</translation></message>
    <message><source>Autoencoder</source><translation>自编码器</translation></message>
    <message><source>Encoder and decoder composites that rebuild their input through a narrow code.</source><translation>编码器与解码器复合模块，经由窄编码重建输入。</translation></message>
    <message><source>Sandwich</source><translation>三明治</translation></message>
    <message><source>Input adapter for shape and dtype, a core with arithmetic only, an output adapter that decodes.</source><translation>处理形状与 dtype 的输入适配器、只做运算的核心、负责解码的输出适配器。</translation></message>
    <message><source>Blank</source><translation>空白</translation></message>
    <message><source>An input, one Linear layer and an output: the start of a model of your own.</source><translation>一个输入、一个 Linear 层和一个输出：自己的模型由此开始。</translation></message>
    <message><source>A loss, activation, gradient or parameter is NaN or infinite</source><translation>损失、激活、梯度或参数为 NaN 或无穷</translation></message>
    <message><source>The finding clears after this many training steps without another one.</source><translation>再经过这么多训练步没有出现时，此发现消除。</translation></message>
    <message><source>Prediction and target of an element-wise loss differ in shape</source><translation>逐元素损失的预测与目标形状不同</translation></message>
    <message><source>Integers or float64 reach a block that computes in float</source><translation>整数或 float64 进入以 float 计算的模块</translation></message>
    <message><source>Validation runs with blocks in training mode</source><translation>验证时有模块处于训练模式</translation></message>
    <message><source>Training goes on in eval mode after validation</source><translation>验证后以 eval 模式继续训练</translation></message>
    <message><source>A frozen BatchNorm's running statistics move</source><translation>已冻结 BatchNorm 的滑动统计在变化</translation></message>
    <message><source>The GradScaler skips every step, or its scale cannot adapt</source><translation>GradScaler 跳过每一步，或其缩放无法调整</translation></message>
    <message><source>This many skipped steps in a row are too many.</source><translation>连续跳过这么多步即为过多。</translation></message>
    <message><source>A loss scale below this is too low.</source><translation>损失缩放低于此值即为过低。</translation></message>
    <message><source>A parameter stays the same although steps are applied</source><translation>虽已更新，参数却保持不变</translation></message>
    <message><source>The loss is and stays far above where it began</source><translation>损失高居起点之上，且一直如此</translation></message>
    <message><source>So many times the first loss, and that of saying the same for every sample, is too much.</source><translation>超过第一步损失（以及对每个样本都给出同一回答的损失）这么多倍即为过大。</translation></message>
    <message><source>Without any gradient over this many applied steps, though weight decay moves it.</source><translation>在这么多次更新中没有任何梯度，尽管权重衰减仍在改变它。</translation></message>
    <message><source>Unchanged over this many applied steps.</source><translation>在这么多次更新中未变化。</translation></message>
    <message><source>Training waits for data</source><translation>训练在等待数据</translation></message>
    <message><source>A median wait above this is a warning.</source><translation>等待中位数超过此值为警告。</translation></message>
    <message><source>A median wait above this is critical.</source><translation>等待中位数超过此值为严重。</translation></message>
    <message><source>No batch at all for this long is critical.</source><translation>这么久没有任何批次即为严重。</translation></message>
    <message><source>The loss falls, but accuracy stays at chance</source><translation>损失下降，但准确率停留在随机水平</translation></message>
    <message><source>How far the training loss has to have fallen since the first epoch.</source><translation>训练损失自第一轮起须下降的幅度。</translation></message>
    <message><source>Evaluated samples, over the newest epochs, that it takes to judge.</source><translation>作出判断所需的、最近几轮的评估样本数。</translation></message>
    <message><source>Samples in a row with one and the same answer, over at least two epochs.</source><translation>至少两轮中连续给出同一答案的样本数。</translation></message>
    <message><source>What is minimised, as in torch.nn.</source><translation>要最小化的量，与 torch.nn 一致。</translation></message>
    <message><source>Output of the model that is judged.</source><translation>被评判的模型输出。</translation></message>
    <message><source>Target of the data it is compared with.</source><translation>与之比较的数据目标。</translation></message>
    <message><source>Factor in the sum of all losses.</source><translation>在全部损失之和中的系数。</translation></message>
    <message><source>Share of each label that is spread over all classes.</source><translation>每个标签中分摊到所有类别的份额。</translation></message>
    <message><source>Samples with this class do not count.</source><translation>该类别的样本不计入。</translation></message>
    <message><source>What is measured after each evaluation.</source><translation>每次评估后测量的量。</translation></message>
    <message><source>Full names of the parameters, with * for anything: *.bn.*</source><translation>参数的完整名称，* 代表任意内容：*.bn.*</translation></message>
    <message><source>Learning rate of these parameters.</source><translation>这些参数的学习率。</translation></message>
    <message><source>Weight decay of these parameters.</source><translation>这些参数的权重衰减。</translation></message>
    <message><source>Handwritten digits, 8x8, ten classes, fully connected</source><translation>手写数字，8x8，十个类别，全连接网络</translation></message>
    <message><source>Drawn circles, squares, triangles and stars as PNG files, one folder a class</source><translation>绘制的圆形、方形、三角形和星形 PNG 文件，每个类别一个文件夹</translation></message>
    <message><source>A 5,000-image subset of MNIST, 28x28, ten classes</source><translation>MNIST 的 5,000 张图像子集，28x28，十个类别</translation></message>
    <message><source>Handwritten digits, 8x8, ten classes</source><translation>手写数字，8x8，十个类别</translation></message>
    <message><source>Disease progression one year after baseline: regression from ten measurements</source><translation>基线一年后的疾病进展：由十项测量值做回归</translation></message>
    <message><source>Chemical analysis of wines from three cultivars</source><translation>三个葡萄品种的葡萄酒的化学分析</translation></message>
    <message><source>share of step time</source><translation>占每步时间的比例</translation></message>
    <message><source>units</source><translation>单位</translation></message>
    <message><source>steps</source><translation>步</translation></message>
    <message><source>share</source><translation>占比</translation></message>
    <message><source>samples</source><translation>样本</translation></message>
    <message><source>threads</source><translation>线程</translation></message>
    <message><source>batches</source><translation>批次</translation></message>
    <message><source>s</source><translation>s</translation></message>
    <message><source>epochs</source><translation>轮</translation></message>
    <message><source>checkpoints</source><translation>检查点</translation></message>
    <message><source>One number a class: how much a sample of that class counts.</source><translation>每个类别一个数：该类别的样本计入多少。</translation></message>
    <message><source>One number a class: how much more its positives count.</source><translation>每个类别一个数：其正样本多计入多少。</translation></message>
    <message><source>The target is one number a sample, for every element of that sample&apos;s output.</source><translation>目标是每个样本一个数，用于该样本输出的每个元素。</translation></message>
    <message><source>C++ project</source><translation>C++ 项目</translation></message>
    <message><source>TorchScript</source><translation>TorchScript</translation></message>
    <message><source>Weights for PyTorch</source><translation>供 PyTorch 使用的权重</translation></message>
    <message><source>A CMake project in readable LibTorch C++: the model, its weights, inference, training with the same plan.</source><translation>可读的 LibTorch C++ 的 CMake 项目：模型、权重、推理，以及按同一方案训练。</translation></message>
    <message><source>One file that torch.jit.load reads in Python and in C++, without any code of ours.</source><translation>一个文件，在 Python 和 C++ 中都可由 torch.jit.load 读取，无需我们的代码。</translation></message>
    <message><source>One file that torch.load(weights_only=True) reads; load_state_dict takes it for the same module tree.</source><translation>一个文件，可由 torch.load(weights_only=True) 读取；相同模块树可用 load_state_dict 载入。</translation></message>
</context>
</TS>
