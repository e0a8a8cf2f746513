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
    <message><source>Spreads each position through learned filters, the way back of Conv2d: [B, C, H, W] to [B, out_channels, H', W'].</source><translation>每个位置经可学习的滤波器展开，是 Conv2d 的反向：[B, C, H, W] 到 [B, out_channels, H', W']。</translation></message>
    <message><source>Channels of the output</source><translation>输出的通道数</translation></message>
    <message><source>Step between two positions of a filter in the output</source><translation>滤波器在输出中相邻位置的步距</translation></message>
    <message><source>Rows and columns taken off around the output</source><translation>输出四周去掉的行和列</translation></message>
    <message><source>Rows and columns added at the bottom and right; below stride or dilation</source><translation>在下方和右侧补的行和列；须小于 stride 或 dilation</translation></message>
    <message><source>Makes height and width larger: [B, C, H, W] to [B, C, H', W'].</source><translation>放大高和宽：[B, C, H, W] 到 [B, C, H', W']。</translation></message>
    <message><source>Height and width afterwards; null follows scale_factor</source><translation>之后的高和宽；null 则由 scale_factor 决定</translation></message>
    <message><source>Height and width are multiplied by this; null follows size</source><translation>高和宽乘以此值；null 则由 size 决定</translation></message>
    <message><source>How a value between others is found</source><translation>如何求出其间的值</translation></message>
    <message><source>The corners keep their values; with bilinear and bicubic</source><translation>四角保持原值；用于 bilinear 和 bicubic</translation></message>
    <message><source>Weight of a new batch in the running statistics</source><translation>新批次在滑动统计中的权重</translation></message>
    <message><source>Normalises each channel of each sample over its length: [B, C, L].</source><translation>对每个样本的每个通道沿长度归一化：[B, C, L]。</translation></message>
    <message><source>Normalises each channel of each sample over height and width: [B, C, H, W].</source><translation>对每个样本的每个通道在高和宽上归一化：[B, C, H, W]。</translation></message>
    <message><source>Each query takes in the values whose keys answer it, in several heads.</source><translation>每个查询吸收其键与之相应的值，分为多个头。</translation></message>
    <message><source>Size of the queries and of the output</source><translation>查询和输出的大小</translation></message>
    <message><source>Number of heads; divides embed_dim</source><translation>头数；须整除 embed_dim</translation></message>
    <message><source>Dropout of the attention weights while training</source><translation>训练时注意力权重的 dropout</translation></message>
    <message><source>Adds a learned key and value that every query sees</source><translation>加上一个每个查询都能看到的可学习的键和值</translation></message>
    <message><source>Adds a key and value of zeros that every query sees</source><translation>加上一个每个查询都能看到的全零的键和值</translation></message>
    <message><source>Size of the keys</source><translation>键的大小</translation></message>
    <message><source>Size of the values</source><translation>值的大小</translation></message>
    <message><source>A position sees itself and earlier ones only</source><translation>一个位置只看到自己和更早的位置</translation></message>
    <message><source>What asks</source><translation>提出查询的一方</translation></message>
    <message><source>What is compared with the query; the query when left out</source><translation>与查询比较的一方；省略时即为查询</translation></message>
    <message><source>What is taken in; the key when left out</source><translation>被吸收的一方；省略时即为键</translation></message>
    <message><source>Number of heads; divides d_model</source><translation>头数；须整除 d_model</translation></message>
    <message><source>Size of the layer between</source><translation>中间层的大小</translation></message>
    <message><source>Dropout of attention weights, of the layer between and of the results while training</source><translation>训练时注意力权重、中间层和各结果的 dropout</translation></message>
    <message><source>What comes after the first linear layer</source><translation>第一个线性层之后的激活</translation></message>
    <message><source>Normalises before attention and linear layers, and not after them</source><translation>在注意力和线性层之前归一化，而不是之后</translation></message>
    <message><source>Attention of a sequence to itself, then two linear layers a position.</source><translation>序列对自身的注意力，然后在每个位置上经过两个线性层。</translation></message>
    <message><source>As the encoder's layer, with attention to another sequence in between.</source><translation>同编码器层，中间再加上对另一序列的注意力。</translation></message>
    <message><source>What the encoder made</source><translation>编码器的输出</translation></message>
    <message><source>Dropout of the sum while training</source><translation>训练时对和的 dropout</translation></message>
    <message><source>Number of positions: the longest sequence</source><translation>位置数：最长的序列</translation></message>
    <message><source>Adds sines and cosines of the position, so that order can be seen.</source><translation>加上位置的正弦和余弦，使顺序可见。</translation></message>
    <message><source>Adds a learned vector for each position, so that order can be seen.</source><translation>为每个位置加上可学习的向量，使顺序可见。</translation></message>
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
    <message><source>Sets whole samples to zero by chance while training: stochastic depth, in front of the Add of a residual branch.</source><translation>训练时随机将整个样本置零：随机深度，放在残差支路的 Add 之前。</translation></message>
    <message><source>Chance of a sample being set to zero in training</source><translation>训练中一个样本被置零的概率</translation></message>
    <message><source>How many times the training split is seen; 0 goes on until stop.steps.</source><translation>训练集被遍历的次数；0 表示一直训练到 stop.steps。</translation></message>
    <message><source>Run</source><translation>运行</translation></message>
    <message><source>Stops after this many optimizer steps; 0 is no limit.</source><translation>达到这么多优化步后停止；0 为不限。</translation></message>
    <message><source>Decides initial weights, order of samples, dropout and augmentation.</source><translation>决定初始权重、样本顺序、dropout 和数据增强。</translation></message>
    <message><source>auto (CUDA where it is, else the CPU), cpu, or cuda:0 and up.</source><translation>auto（有 CUDA 则用，否则用 CPU）、cpu，或 cuda:0 及以上。</translation></message>
    <message><source>Element type of the forward and backward pass under autocast; parameters stay float32.</source><translation>autocast 下前向与反向的元素类型；参数保持 float32。</translation></message>
    <message><source>default: LibTorch's own flags; deterministic: deterministic algorithms and cuDNN, no TF32, the same bits every time; research: deterministic cuDNN without autotuning, no TF32; production: cuDNN picks the fastest kernels and TF32 is allowed; debug: as deterministic, and a backward pass that gives NaN ends the run with the operation's name. The run's record has each flag.</source><translation>default：LibTorch 自身的标志；deterministic：确定性算法与确定性 cuDNN，不用 TF32，每次逐位相同；research：确定性 cuDNN，不自动调优，不用 TF32；production：由 cuDNN 选择最快内核并允许 TF32；debug：同 deterministic，且反向传播出现 NaN 时结束运行并给出运算名称。运行记录中有每个标志。</translation></message>
    <message><source>Layout of 4-d tensors; auto takes channels_last for convolutional models, unless a trial in the first seconds of a longer run shows the other one to be faster.</source><translation>四维张量的内存布局；auto 对卷积模型采用 channels_last，除非较长的运行在最初几秒的试验表明另一种更快。</translation></message>
    <message><source>Threads one operation may use; 0 lets the program choose: by the model's size, and in a longer run by a trial in its first seconds.</source><translation>单个运算可用的线程数；0 由程序选择：按模型的大小，较长的运行则按最初几秒的试验。</translation></message>
    <message><source>What is minimised: a list of {"type", "output", "target", "weight"}; types CrossEntropyLoss, MSELoss, BCEWithLogitsLoss.</source><translation>最小化的目标：{"type", "output", "target", "weight"} 的列表；类型为 CrossEntropyLoss、MSELoss、BCEWithLogitsLoss。</translation></message>
    <message><source>Goal</source><translation>目标</translation></message>
    <message><source>What is measured: a list of {"type", "output", "target"}, as accuracy, f1, roc_auc, rmse.</source><translation>度量的指标：{"type", "output", "target"} 的列表，例如 accuracy、f1、roc_auc、rmse。</translation></message>
    <message><source>The update rule, as in torch.optim.</source><translation>更新规则，与 torch.optim 相同。</translation></message>
    <message><source>Optimizer</source><translation>优化器</translation></message>
    <message><source>Learning rate before the schedule.</source><translation>调度前的学习率。</translation></message>
    <message><source>Decoupled in AdamW (0.01 where it is left out) and Lion, added to the gradient elsewhere.</source><translation>在 AdamW（未设置时为 0.01）和 Lion 中解耦，在其他优化器中加到梯度上。</translation></message>
    <message><source>Share of the last update that is kept.</source><translation>保留上次更新的比例。</translation></message>
    <message><source>Damps the gradient's share of the momentum.</source><translation>减弱梯度在动量中的比例。</translation></message>
    <message><source>Looks ahead along the momentum.</source><translation>沿动量方向前瞻。</translation></message>
    <message><source>Decay of the running mean of the gradient and of its square.</source><translation>梯度及其平方的滑动平均的衰减率。</translation></message>
    <message><source>Added to the denominator.</source><translation>加在分母上。</translation></message>
    <message><source>Keeps the largest second moment seen.</source><translation>保留出现过的最大二阶矩。</translation></message>
    <message><source>Takes the weight decay from the parameter, as AdamW does, instead of adding it to the gradient.</source><translation>像 AdamW 那样直接从参数中减去权重衰减，而不是加到梯度上。</translation></message>
    <message><source>RMSprop: decay of the running mean of the gradient's square; ASGD: power with which the rate falls.</source><translation>RMSprop：梯度平方的滑动平均的衰减率；ASGD：学习率下降的幂次。</translation></message>
    <message><source>How fast the momentum grows to its full value.</source><translation>动量增长到完整值的快慢。</translation></message>
    <message><source>Divides by the standard deviation of the gradient instead of its root mean square.</source><translation>除以梯度的标准差，而不是其均方根。</translation></message>
    <message><source>Factors of the step size where the gradient's sign changed and where it stayed.</source><translation>梯度符号改变时与不变时步长的系数。</translation></message>
    <message><source>Smallest and largest step size.</source><translation>最小和最大步长。</translation></message>
    <message><source>How strongly parameters are drawn to 0.</source><translation>参数被拉向 0 的强度。</translation></message>
    <message><source>Updates before averaging starts.</source><translation>开始平均之前的更新次数。</translation></message>
    <message><source>How fast the learning rate falls with the updates.</source><translation>学习率随更新次数下降的快慢。</translation></message>
    <message><source>What the sum of squares starts from.</source><translation>平方和的初始值。</translation></message>
    <message><source>Decay of the running means of squares.</source><translation>平方的滑动平均的衰减率。</translation></message>
    <message><source>Most iterations in one step.</source><translation>一步中最多的迭代次数。</translation></message>
    <message><source>Most forward and backward passes in one step; 1.25 times max_iter where it is left out.</source><translation>一步中最多的前向与反向次数；省略时为 max_iter 的 1.25 倍。</translation></message>
    <message><source>A step ends once the largest gradient is this small.</source><translation>最大梯度小到此值时，一步结束。</translation></message>
    <message><source>A step ends once loss or parameters change by less.</source><translation>损失或参数的变化小于此值时，一步结束。</translation></message>
    <message><source>Updates that the approximation of the curvature is made from.</source><translation>用于近似曲率的更新次数。</translation></message>
    <message><source>How far a step goes: as far as the learning rate says, or until the strong Wolfe conditions hold.</source><translation>一步走多远：按学习率，或直到满足强 Wolfe 条件。</translation></message>
    <message><source>iterations</source><translation>次迭代</translation></message>
    <message><source>passes</source><translation>次计算</translation></message>
    <message><source>updates</source><translation>次更新</translation></message>
    <message><source>One kernel for all parameters, or one operation after the other over all of them; auto takes fused. Their last digits differ.</source><translation>所有参数用一个内核，或在所有参数上逐个执行运算；auto 采用 fused。两者末位数字不同。</translation></message>
    <message><source>Off: biases, the weights of normalisations and other parameters of one dimension have no weight decay.</source><translation>关闭时：偏置、归一化的权重和其他一维参数没有权重衰减。</translation></message>
    <message><source>Factor of the learning rate from each layer to the one before it; the last layer has the full rate.</source><translation>从每一层到其前一层的学习率系数；最后一层使用完整学习率。</translation></message>
    <message><source>Takes the mean over its inputs from the gradient of each weight of two dimensions or more.</source><translation>对二维及以上的每个权重，从梯度中减去其在输入上的均值。</translation></message>
    <message><source>Parameters that do not train for the first epochs, by name: a list of {"match": "backbone.*", "epochs", "buffers"}.</source><translation>在最初若干轮不训练的参数，按名称：{"match": "backbone.*", "epochs", "buffers"} 的列表。</translation></message>
    <message><source>Several optimizers in one step, as a GAN has: a list of {"name", "train", "optimizer", "every"}; each phase trains the parameters of its pattern with the losses that name it.</source><translation>一步中的多个优化器，如 GAN：{"name", "train", "optimizer", "every"} 的列表；每个阶段用指定它的损失训练与其模式匹配的参数。</translation></message>
    <message><source>The phase that minimises it, where training.phases has some.</source><translation>使它最小的阶段（若 training.phases 中有阶段）。</translation></message>
    <message><source>What losses and series call the phase.</source><translation>损失和曲线对该阶段的称呼。</translation></message>
    <message><source>Full names of the parameters that it trains, with * for anything, or a list of such patterns: discriminator.*</source><translation>它训练的参数的完整名称，用 * 代表任意内容，或这种模式的列表：discriminator.*</translation></message>
    <message><source>It is taken in each so many-th step.</source><translation>每隔这么多步执行一次。</translation></message>
    <message><source>What differs from training.optimizer, as {"lr": 0.0002}.</source><translation>与 training.optimizer 不同之处，例如 {"lr": 0.0002}。</translation></message>
    <message><source>They do not train.</source><translation>它们不训练。</translation></message>
    <message><source>Epochs before they train; 0: they never do.</source><translation>开始训练之前的轮数；0 为从不训练。</translation></message>
    <message><source>Running statistics beside them, as BatchNorm's, stay as they are too.</source><translation>旁边的运行统计量（如 BatchNorm 的）也保持不变。</translation></message>
    <message><source>Maximises the loss instead.</source><translation>改为最大化损失。</translation></message>
    <message><source>Overrides by parameter name: a list of {"match": "*.bn.*", "lr", "weight_decay", "frozen"}; the first match wins.</source><translation>按参数名覆盖：{"match": "*.bn.*", "lr", "weight_decay", "frozen"} 的列表；先匹配者生效。</translation></message>
    <message><source>Schedule</source><translation>调度</translation></message>
    <message><source>How the learning rate goes on, as in torch.optim.lr_scheduler. sequence: one schedule after the other; chained: all at once, their factors multiplied.</source><translation>学习率如何变化，与 torch.optim.lr_scheduler 相同。sequence：一个调度接着另一个；chained：同时进行，系数相乘。</translation></message>
    <message><source>What the schedule counts in. one_cycle and cyclic count steps.</source><translation>调度的计数单位。one_cycle 和 cyclic 按步计数。</translation></message>
    <message><source>Linear rise to the full rate over so many units, in front of the schedule.</source><translation>在调度之前，用这么多单位线性升到完整学习率。</translation></message>
    <message><source>Share of the full rate that the warm-up starts from; where it is left out unit t of it has t + 1 of warmup shares.</source><translation>预热开始时占完整学习率的比例；省略时，第 t 个单位为 warmup 份中的 t + 1 份。</translation></message>
    <message><source>The schedules of a sequence, each with its length in units, or of a chain.</source><translation>sequence 的各个调度及其长度（以单位计），或 chained 的各个调度。</translation></message>
    <message><source>The schedule.</source><translation>调度。</translation></message>
    <message><source>Units that it lasts; 0 is what is left.</source><translation>它持续的单位数；0 为剩余的全部。</translation></message>
    <message><source>Where the rate ends, or may not fall below.</source><translation>学习率的终点，或不得低于的值。</translation></message>
    <message><source>Factor at each drop, or of each unit.</source><translation>每次下降的系数，或每个单位的系数。</translation></message>
    <message><source>Factor of the rate: constant for its first units, reduce_on_plateau at each reduction.</source><translation>学习率的系数：constant 用于最初的单位，reduce_on_plateau 用于每次降低。</translation></message>
    <message><source>Highest rate; the optimizer's own where it is left out.</source><translation>最高学习率；省略时为优化器自己的学习率。</translation></message>
    <message><source>How the rate goes from one level to the next.</source><translation>学习率如何从一个水平过渡到下一个。</translation></message>
    <message><source>Moves momentum, or the first of betas, against the rate.</source><translation>使动量或 betas 的第一个值与学习率反向变化。</translation></message>
    <message><source>Momentum where the rate is highest.</source><translation>学习率最高时的动量。</translation></message>
    <message><source>Momentum where the rate is lowest.</source><translation>学习率最低时的动量。</translation></message>
    <message><source>Power of what is left of the schedule.</source><translation>调度剩余部分的幂次。</translation></message>
    <message><source>constant: units that factor holds for; elsewhere the length of the schedule, warm-up included. 0 is the whole run.</source><translation>constant：factor 保持的单位数；其他类型：调度的长度，包括预热。0 为整个运行。</translation></message>
    <message><source>Units after which the rate is multiplied by gamma; one that stands twice counts twice.</source><translation>经过这些单位后学习率乘以 gamma；出现两次的计两次。</translation></message>
    <message><source>Length of the first cosine.</source><translation>第一个余弦的长度。</translation></message>
    <message><source>Each cosine is so many times as long as the one before.</source><translation>每个余弦的长度是前一个的这么多倍。</translation></message>
    <message><source>Share of the cycle in which the rate rises.</source><translation>周期中学习率上升部分所占的比例。</translation></message>
    <message><source>The cycle starts at max_lr divided by this.</source><translation>周期从 max_lr 除以此值开始。</translation></message>
    <message><source>It ends at the starting rate divided by this.</source><translation>结束于起始学习率除以此值。</translation></message>
    <message><source>Falls back to the starting rate as fast as it rose, and to the final one after that.</source><translation>以上升时的速度回落到起始学习率，然后降到最终学习率。</translation></message>
    <message><source>Factor of the first unit.</source><translation>第一个单位的系数。</translation></message>
    <message><source>Factor at the end.</source><translation>结束时的系数。</translation></message>
    <message><source>Lowest rate of a cycle.</source><translation>周期的最低学习率。</translation></message>
    <message><source>Units in which the rate rises.</source><translation>学习率上升的单位数。</translation></message>
    <message><source>Units in which it falls; as step_size_up where it is left out.</source><translation>学习率下降的单位数；省略时与 step_size_up 相同。</translation></message>
    <message><source>cyclic: how the height of the cycles goes on (as it is, halved each time, gamma to the power of the units); reduce_on_plateau: whether a smaller or a larger value is better.</source><translation>cyclic：周期的高度如何变化（保持不变、每次减半、gamma 的单位数次幂）；reduce_on_plateau：较小还是较大的值更好。</translation></message>
    <message><source>The rate falls with the root of timescale / units; the warm-up's length, or else 1, where it is left out.</source><translation>学习率按 timescale / 单位数的平方根下降；省略时为预热的长度，否则为 1。</translation></message>
    <message><source>Rate that weights are averaged at.</source><translation>对权重求平均时的学习率。</translation></message>
    <message><source>Units in which the rate gets there.</source><translation>学习率到达该值所用的单位数。</translation></message>
    <message><source>What has to get better: a series of the validation, as val.loss or val.accuracy.</source><translation>需要变好的量：验证的一个序列，例如 val.loss 或 val.accuracy。</translation></message>
    <message><source>Validations without a gain before the rate is reduced.</source><translation>降低学习率之前没有改善的验证次数。</translation></message>
    <message><source>Smallest gain that counts.</source><translation>算作改善的最小幅度。</translation></message>
    <message><source>Whether threshold is a share of the best value or a difference.</source><translation>threshold 是最佳值的比例，还是差值。</translation></message>
    <message><source>Validations after a reduction that do not count.</source><translation>每次降低之后不计入的验证次数。</translation></message>
    <message><source>A reduction smaller than this is left out.</source><translation>小于此值的降低会被略去。</translation></message>
    <message><source>validations</source><translation>次验证</translation></message>
    <message><source>The rate is multiplied by gamma every so many units.</source><translation>每隔这么多单位，学习率乘以 gamma。</translation></message>
    <message><source>Limits the gradient after it is unscaled: its norm, each of its values, or its norm as a share of the weights' (Brock et al. 2021).</source><translation>在反缩放之后限制梯度：其范数、其每个值，或其范数与权重范数之比（Brock 等，2021）。</translation></message>
    <message><source>Step</source><translation>步</translation></message>
    <message><source>Largest norm of all gradients together.</source><translation>所有梯度合计的最大范数。</translation></message>
    <message><source>Which norm; 2 is the Euclidean one, "inf" the largest absolute value.</source><translation>哪种范数；2 为欧几里得范数，"inf" 为最大绝对值。</translation></message>
    <message><source>Largest absolute value of a gradient's element.</source><translation>梯度元素的最大绝对值。</translation></message>
    <message><source>Largest norm of an output unit's gradient as a share of the norm of its weights.</source><translation>一个输出单元的梯度范数与其权重范数之比的上限。</translation></message>
    <message><source>Weights count with at least this norm.</source><translation>权重的范数至少按此值计。</translation></message>
    <message><source>Batches whose gradients are averaged before a step; the tail of an epoch is flushed.</source><translation>一步之前平均梯度的批次数；每轮末尾的余量也会更新。</translation></message>
    <message><source>First loss scale.</source><translation>初始损失缩放。</translation></message>
    <message><source>Factor after growth_interval good steps.</source><translation>经过 growth_interval 个正常步后的系数。</translation></message>
    <message><source>Factor after a skipped step.</source><translation>跳过一步后的系数。</translation></message>
    <message><source>Good steps before the scale grows.</source><translation>缩放增大之前的正常步数。</translation></message>
    <message><source>The scale does not fall below this.</source><translation>缩放不会低于此值。</translation></message>
    <message><source>So many skipped steps in a row set the scale back to init_scale and halve the learning rate; 0 is never.</source><translation>连续跳过这么多步后，缩放回到 init_scale，学习率减半；0 表示从不。</translation></message>
    <message><source>Names of blocks, with * for anything, that autocast leaves in float32; those that make the model's outputs where it is left out.</source><translation>autocast 保留为 float32 的块的名称，* 代表任意内容；不写则为产生模型输出的块。</translation></message>
    <message><source>Names of blocks, with * for anything, that keep only what flows into them and run again in the backward pass: less memory, more time, the same numbers.</source><translation>只保留流入的值、并在反向传播中再运行一次的块的名称，* 代表任意内容：占用内存更少，时间更长，数值相同。</translation></message>
    <message><source>Memory for all tensors of a step: so many blocks are checkpointed, besides those that are named, that it fits. 0: none are chosen.</source><translation>一步的全部张量可用的内存：除写明的块之外，再对足够多的块使用激活检查点，使其容纳得下。0：不另选。</translation></message>
    <message><source>Names of blocks, with * for anything, that run with gradients switched off: none flows back through them, and their parameters do not train.</source><translation>关闭梯度运行的块的名称，* 代表任意内容：没有梯度流回它们，其参数也不训练。</translation></message>
    <message><source>Normal noise on the gradient, of variance eta / (1 + step) ^ gamma; 0 is none.</source><translation>加在梯度上的正态噪声，方差为 eta / (1 + step) ^ gamma；0 表示没有。</translation></message>
    <message><source>How fast the noise falls.</source><translation>噪声下降的快慢。</translation></message>
    <message><source>Epochs over which the p of DropPath blocks rises linearly from 0 to its value; 0: it has it from the start.</source><translation>DropPath 块的 p 从 0 线性升到其值所用的轮数；0 表示从一开始就是该值。</translation></message>
    <message><source>Averaged weights</source><translation>平均权重</translation></message>
    <message><source>A second set of weights that is validated, kept and exported: ema, an exponential moving average; swa, the mean (Izmailov et al. 2018).</source><translation>第二组权重，用于验证、保存和导出：ema 为指数滑动平均；swa 为均值（Izmailov 等，2018）。</translation></message>
    <message><source>ema: share of the average that is kept at each update.</source><translation>ema：每次更新时平均值保留的比例。</translation></message>
    <message><source>What start and every count in.</source><translation>start 和 every 的计数单位。</translation></message>
    <message><source>Units of training before averaging begins.</source><translation>开始平均之前的训练单位数。</translation></message>
    <message><source>Units between two updates of the average.</source><translation>两次更新平均值之间的单位数。</translation></message>
    <message><source>Averages buffers as well instead of copying the newest.</source><translation>缓冲区也取平均，而不是复制最新的。</translation></message>
    <message><source>BatchNorm's running statistics are taken anew for the averaged weights, in one pass over the training split, before each validation.</source><translation>每次验证之前，为平均权重在训练划分上走一遍，重新统计 BatchNorm 的滑动统计。</translation></message>
    <message><source>How often the validation split is evaluated; 0 is never.</source><translation>评估验证集的频率；0 为从不。</translation></message>
    <message><source>Validation and checkpoints</source><translation>验证与检查点</translation></message>
    <message><source>Validation batches that are evaluated before the first step, so that what cannot be validated fails at once; nothing else comes of them. 0 is none.</source><translation>在第一步之前评估的验证批次数，使无法验证的情况立即失败；除此之外没有任何影响。0 为没有。</translation></message>
    <message><source>What validation.every counts in.</source><translation>validation.every 的计数单位。</translation></message>
    <message><source>How often a checkpoint is written besides the first and the last; 0 is never.</source><translation>除首尾外写检查点的频率；0 为从不。</translation></message>
    <message><source>What checkpoints.every counts in.</source><translation>checkpoints.every 的计数单位。</translation></message>
    <message><source>Older ones are removed; the best is kept besides.</source><translation>较旧的会被删除；最佳的另行保留。</translation></message>
    <message><source>Series whose best value marks the best checkpoint, as val.accuracy.</source><translation>以其最佳值标记最佳检查点的曲线，例如 val.accuracy。</translation></message>
    <message><source>Whether a smaller or a larger value is better; auto goes by the series.</source><translation>较小还是较大的值更好；auto 以序列为准。</translation></message>
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
    <message><source>Clips, logs and steps with the gradient that is still scaled.</source><translation>用仍被缩放的梯度进行裁剪、记录和更新。</translation></message>
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
    <message><source>micro: over all samples; macro: mean over the classes; weighted: by how many samples a class has; binary: of class 1.</source><translation>micro：对所有样本；macro：类别的平均；weighted：按类别的样本数加权；binary：类别 1 的值。</translation></message>
    <message><source>What the output holds: logits; or probabilities, or values between a target's 0 and 1, which are compared with threshold as they are; auto goes by the losses on it and the block that makes it.</source><translation>输出的内容：logits；或概率，或介于目标的 0 与 1 之间的值，直接与 threshold 比较；auto 以其上的损失和产生它的块为准。</translation></message>
    <message><source>Labels that do not count; where it is left out, those that the first loss on the same output ignores.</source><translation>不计入的标签；未写明时为同一输出上第一个损失所忽略的标签。</translation></message>
    <message><source>Probability above which one score an answer is a yes.</source><translation>每个回答只有一个得分时，概率大于此值为是。</translation></message>
    <message><source>Class 0 counts too.</source><translation>类别 0 也计入。</translation></message>
    <message><source>A sample is right where its class is among the k largest.</source><translation>样本的类别在最大的 k 个之中即为正确。</translation></message>
    <message><source>Name of its series; needed where a metric is there twice.</source><translation>它的序列名称；同一指标出现两次时必须写明。</translation></message>
    <message><source>classes</source><translation>个类别</translation></message>
    <message><source>Full names of the parameters, with * for anything: *.bn.*</source><translation>参数的完整名称，* 代表任意内容：*.bn.*</translation></message>
    <message><source>Learning rate of these parameters.</source><translation>这些参数的学习率。</translation></message>
    <message><source>Weight decay of these parameters.</source><translation>这些参数的权重衰减。</translation></message>
    <message><source>Handwritten digits, 8x8, ten classes, fully connected</source><translation>手写数字，8x8，十个类别，全连接网络</translation></message>
    <message><source>Drawn circles, squares, triangles and stars as PNG files, one folder a class</source><translation>绘制的圆形、方形、三角形和星形 PNG 文件，每个类别一个文件夹</translation></message>
    <message><source>A 5,000-image subset of MNIST, 28x28, ten classes</source><translation>MNIST 的 5,000 张图像子集，28x28，十个类别</translation></message>
    <message><source>A generator and a discriminator in one step: pictures of waves out of noise</source><translation>一步中的生成器和判别器：由噪声生成波形图片</translation></message>
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
    <message><source>mean: over what counts in the batch; sum: of all of it; batchmean: the sum over the samples' number.</source><translation>mean：对批次中计入的部分取均值；sum：全部之和；batchmean：和除以样本数。</translation></message>
    <message><source>Distance, or lead, from which on a sample costs nothing.</source><translation>达到此距离或领先量后，样本不再有代价。</translation></message>
    <message><source>Added above and below the fraction line, so that an empty class has a value.</source><translation>加在分子和分母上，使空的类别也有值。</translation></message>
    <message><source>gamma of Lin et al. 2017: how much less easy samples count.</source><translation>Lin 等 2017 的 gamma：容易的样本少计多少。</translation></message>
    <message><source>Adds the part that does not depend on the model.</source><translation>加上与模型无关的部分。</translation></message>
    <message><source>Output that is compared with the first one.</source><translation>与第一个输出比较的输出。</translation></message>
    <message><source>Weight of the positives, 1 - alpha that of the negatives, with a target of the output's shape.</source><translation>目标与输出形状相同时，正例的权重；负例为 1 - alpha。</translation></message>
    <message><source>Squares below the fraction line, as Milletari et al. 2016.</source><translation>分母中取平方，与 Milletari 等 2016 一致。</translation></message>
    <message><source>Factor of the Dice loss.</source><translation>Dice 损失的系数。</translation></message>
    <message><source>Factor of the cross entropy.</source><translation>交叉熵的系数。</translation></message>
    <message><source>Distance below which the loss is quadratic.</source><translation>小于此距离时损失是二次的。</translation></message>
    <message><source>The target holds logarithms of probabilities too.</source><translation>目标也是概率的对数。</translation></message>
    <message><source>Class of the blank.</source><translation>空白的类别。</translation></message>
    <message><source>A sample that cannot be aligned costs nothing instead of infinity.</source><translation>无法对齐的样本代价为零，而不是无穷大。</translation></message>
    <message><source>Target with the number of frames of each sample; all frames where it is left out.</source><translation>含每个样本帧数的目标；省略时为全部帧。</translation></message>
    <message><source>Target with the number of labels of each sample; all that are not blank where it is left out.</source><translation>含每个样本标签数的目标；省略时为所有非空白标签。</translation></message>
    <message><source>Output of a sample of the same kind.</source><translation>同类样本的输出。</translation></message>
    <message><source>Output of a sample of another kind.</source><translation>另一类样本的输出。</translation></message>
    <message><source>Keeps distances above 0, or variances from vanishing.</source><translation>使距离大于 0，或使方差不消失。</translation></message>
    <message><source>Takes the distance from the positive to the negative where that is smaller.</source><translation>正例到负例的距离更小时，取该距离。</translation></message>
    <message><source>TripletMarginLoss: norm that distances are measured in; MultiMarginLoss: power of each class's lead, 1 or 2.</source><translation>TripletMarginLoss：度量距离的范数；MultiMarginLoss：每个类别领先量的幂次，1 或 2。</translation></message>
    <message><source>The output is the logarithm of the rate.</source><translation>输出是速率的对数。</translation></message>
    <message><source>Output with the variance of each value.</source><translation>含每个值的方差的输出。</translation></message>
    <message><source>A formula over the names of outputs and targets, as mean((y - t) ** 2); docs/losses.md lists its functions.</source><translation>由输出和目标的名称组成的公式，例如 mean((y - t) ** 2)；docs/losses.md 列出其函数。</translation></message>
    <message><source>Stops after this much time of training, pauses left out; a resumed run counts on. 0 is no limit; schedules keep their length.</source><translation>训练这么长时间后停止，不含暂停；继续的运行接着计时。0 为不限；调度保持其长度。</translation></message>
    <message><source>Series of a validation that ends the run, as val.accuracy.</source><translation>使运行结束的验证序列，例如 val.accuracy。</translation></message>
    <message><source>The value at which it does.</source><translation>使其结束的值。</translation></message>
    <message><source>max: at the value or above; min: at it or below; auto: whichever is better for the series.</source><translation>max：达到或高于该值；min：达到或低于该值；auto：取对该序列更好的一侧。</translation></message>
    <message><source>Early stopping</source><translation>早停</translation></message>
    <message><source>Ends the run after so many validations without an improvement; 0 is off.</source><translation>连续这么多次验证没有改善就结束运行；0 为关闭。</translation></message>
    <message><source>Series of a validation that has to improve.</source><translation>必须改善的验证序列。</translation></message>
    <message><source>Whether a smaller or a larger value is an improvement; auto goes by the series.</source><translation>较小还是较大的值算改善；auto 以序列为准。</translation></message>
    <message><source>A value counts as an improvement when it is better than the best by more than this.</source><translation>比最佳值好出超过这么多才算改善。</translation></message>
    <message><source>A run that ends by its plan ends with the weights of its best checkpoint.</source><translation>按计划结束的运行以其最佳检查点的权重结束。</translation></message>
    <message><source>So many of the best by checkpoints.best.series are kept.</source><translation>按 checkpoints.best.series 保留这么多个最佳检查点。</translation></message>
    <message><source>Space for all checkpoints of a run: the oldest are removed first, the newest and the best never. 0 is no limit.</source><translation>一次运行的全部检查点可占的空间：先删除最旧的，最新的和最佳的从不删除。0 为不限。</translation></message>
    <message><source>What is minimised: a list of {"type", "output", "target", "weight"}; types as in torch.nn.</source><translation>要最小化的内容：{"type", "output", "target", "weight"} 的列表；类型与 torch.nn 相同。</translation></message>
    <message><source>MB</source><translation>MB</translation></message>
    <message><source>The next character of small sums in words, by a transformer of two layers</source><translation>用两层的 transformer 预测用文字写出的小加法的下一个字符</translation></message>
    <message><source>Runs a model that AOTInductor compiled (.pt2) on the CPU, without gradients; its parameters and multiply-accumulates are unknown and count as 0.</source><translation>在 CPU 上运行由 AOTInductor 编译的模型（.pt2），不带梯度；其参数量和乘加次数未知，按 0 计。</translation></message>
    <message><source>The package, from the project's folder: a file of native code, which runs once you trust it (plumbline trust)</source><translation>编译包，路径从项目文件夹算起：它是原生代码文件，在您信任它之后才会运行（plumbline trust）</translation></message>
    <message><source>What it takes, dtype and sizes of each tensor in order, as float32 [B, 3, 32, 32]; a symbol where the size may vary</source><translation>它接受什么：依次写出每个张量的 dtype 和大小，例如 float32 [B, 3, 32, 32]；大小可变处写一个符号</translation></message>
    <message><source>What it gives, as float32 [B, 512]; a symbol is one of inputs</source><translation>它给出什么，例如 float32 [B, 512]；符号须是 inputs 中的一个</translation></message>
    <message><source>Which of the package's models, where it holds several</source><translation>编译包含有多个模型时，用其中的哪一个</translation></message>
    <message><source>In the order that the model was exported with</source><translation>按模型导出时的顺序</translation></message>
</context>
</TS>
