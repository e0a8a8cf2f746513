<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<!-- Sentences of the engine: {} is a value, %1 the first of them in the translation. A test finds what is missing. -->
<context>
    <name>EngineSentence</name>
    <message><source>Cannot {} {}: {}</source><translation>无法%1 %2：%3</translation></message>
    <message><source>Cannot {} {}: it does not exist</source><translation>无法%1 %2：它不存在</translation></message>
    <message><source>Check the path.</source><translation>请检查路径。</translation></message>
    <message><source>Change the permissions, or choose another folder.</source><translation>请更改权限，或选择另一个文件夹。</translation></message>
    <message><source>Choose a folder that can be written to.</source><translation>请选择可以写入的文件夹。</translation></message>
    <message><source>Free some space; everything written before is kept.</source><translation>请腾出一些空间；之前写入的内容都已保留。</translation></message>
    <message><source>Cannot {} {}: it is a folder</source><translation>无法%1 %2：它是一个文件夹</translation></message>
    <message><source>The disk reported an error; check it.</source><translation>磁盘报告了错误；请检查磁盘。</translation></message>
    <message><source>make the folder</source><translation>创建文件夹</translation></message>
    <message><source>{} has {} bytes, more than 1 GiB</source><translation>%1 有 %2 字节，超过 1 GiB</translation></message>
    <message><source>{} is nested more than {} levels deep</source><translation>%1 的嵌套超过 %2 层</translation></message>
    <message><source>{} has the key "{}" twice in one object</source><translation>%1 在同一个对象中两次出现键 "%2"</translation></message>
    <message><source>Remove one of the two.</source><translation>请删除其中一个。</translation></message>
    <message><source>{} ends in the middle of a value at line {}</source><translation>%1 在第 %2 行的一个值中间结束</translation></message>
    <message><source>{} is not valid JSON at line {}, column {}: {}</source><translation>%1 在第 %2 行第 %3 列不是有效的 JSON：%4</translation></message>
    <message><source>Correct the file, or restore it from a copy.</source><translation>请改正文件，或从副本恢复。</translation></message>
    <message><source>{} is not valid JSON: {}</source><translation>%1 不是有效的 JSON：%2</translation></message>
    <message><source>{} is not valid JSON</source><translation>%1 不是有效的 JSON</translation></message>
    <message><source>{} holds a number that no computer number is large enough for</source><translation>%1 含有一个大到计算机的数值类型无法表示的数</translation></message>
    <message><source>There is not enough memory to read {}</source><translation>没有足够的内存来读取 %1</translation></message>
    <message><source>Close other programs.</source><translation>请关闭其他程序。</translation></message>
    <message><source>an object</source><translation>对象</translation></message>
    <message><source>a list</source><translation>列表</translation></message>
    <message><source>a text</source><translation>文本</translation></message>
    <message><source>a boolean</source><translation>布尔值</translation></message>
    <message><source>an integer</source><translation>整数</translation></message>
    <message><source>a number</source><translation>数字</translation></message>
    <message><source>Write a number without quotes, as 0.5.</source><translation>请写一个不带引号的数字，例如 0.5。</translation></message>
    <message><source>Write a whole number without quotes, as 16.</source><translation>请写一个不带引号的整数，例如 16。</translation></message>
    <message><source>Write true or false, without quotes.</source><translation>请写 true 或 false，不带引号。</translation></message>
    <message><source>Write a text in quotes, as "name".</source><translation>请写一个带引号的文本，例如 "name"。</translation></message>
    <message><source>Write a list in brackets, as [1, 2].</source><translation>请写一个方括号中的列表，例如 [1, 2]。</translation></message>
    <message><source>Write an object: members in braces, each a key in quotes with its value.</source><translation>请写一个对象：花括号中的成员，每个成员是带引号的键及其值。</translation></message>
    <message><source>Write {}.</source><translation>请写%1。</translation></message>
    <message><source>Add it, as {}.</source><translation>请补上它，例如 %1。</translation></message>
    <message><source>Where it is left out it is {}.</source><translation>省略时它是 %1。</translation></message>
    <message><source>It may be left out.</source><translation>可以省略它。</translation></message>
    <message><source>Choose a value within that.</source><translation>请选择该范围内的值。</translation></message>
    <message><source>Choose one of these.</source><translation>请选择其中之一。</translation></message>
    <message><source>Usual is 0.1; 0 smooths nothing.</source><translation>通常是 0.1；0 表示不平滑。</translation></message>
    <message><source>Raise it, or leave it out to take the optimizer's own.</source><translation>请增大它，或省略它以使用优化器自己的值。</translation></message>
    <message><source>Usual is [0.9, 0.999].</source><translation>通常是 [0.9, 0.999]。</translation></message>
    <message><source>Usual is "auto", which keeps the monitor's share of the time small.</source><translation>通常是 "auto"，它使监控占用的时间很少。</translation></message>
    <message><source>Lower low or raise high; they are -2 and 2 where they are left out.</source><translation>请减小 low 或增大 high；省略时它们是 -2 和 2。</translation></message>
    <message><source>a number above 0</source><translation>大于 0 的数</translation></message>
    <message><source>a value of the parameter's type, or an expression</source><translation>该参数类型的值，或表达式</translation></message>
    <message><source>Check that this is the file you mean; plumbline new makes a project.</source><translation>请确认这是您要的文件；plumbline new 可新建项目。</translation></message>
    <message><source>Write {}, if the file is written in the present form.</source><translation>如果文件是按现在的格式写的，请写 %1。</translation></message>
    <message><source>Name one, as "to_float".</source><translation>请写出一个，例如 "to_float"。</translation></message>
    <message><source>"by": 0.5</source><translation>"by": 0.5</translation></message>
    <message><source>"shape": [1, 8, 8]</source><translation>"shape": [1, 8, 8]</translation></message>
    <message><source>"size": [32, 32]</source><translation>"size": [32, 32]</translation></message>
    <message><source>"error" names the row; "drop_row" leaves it out; the others fill it in.</source><translation>"error" 会指出该行；"drop_row" 会舍去该行；其他方式会填补它。</translation></message>
    <message><source>Write the one that the file has in its numbers.</source><translation>请写文件的数字中使用的那一个。</translation></message>
    <message><source>Leave it out to have none.</source><translation>省略它即为没有。</translation></message>
    <message><source>Leave it out to have it told by the values.</source><translation>省略它即可由值来判断。</translation></message>
    <message><source>Name a file, or a folder of images.</source><translation>请指定一个文件，或一个图像文件夹。</translation></message>
    <message><source>Leave it out for "rgb".</source><translation>省略它即为 "rgb"。</translation></message>
    <message><source>Add rows, or choose another file.</source><translation>请添加行，或选择另一个文件。</translation></message>
    <message><source>Add samples to it, or choose another file.</source><translation>请为它添加样本，或选择另一个文件。</translation></message>
    <message><source>Choose a number within that.</source><translation>请选择该范围内的编号。</translation></message>
    <message><source>Choose another file.</source><translation>请选择另一个文件。</translation></message>
    <message><source>Give at least 1 to a batch and to the prefetch, and from 0 to 1024 workers.</source><translation>批大小和预取至少为 1，工作线程数为 0 到 1024。</translation></message>
    <message><source>Choose another dtype, or leave it out.</source><translation>请选择另一种 dtype，或省略它。</translation></message>
    <message><source>Put it after a reshape to [C, H, W], or remove it.</source><translation>请把它放在变形为 [C, H, W] 之后，或删除它。</translation></message>
    <message><source>Give the parameter a value, or a default in its definition.</source><translation>请为该参数赋值，或在其定义中给出默认值。</translation></message>
    <message><source>Choose classes or number.</source><translation>请选择 classes 或 number。</translation></message>
    <message><source>Name a place that is there; positions count from 0.</source><translation>请写出存在的位置；位置从 0 开始计数。</translation></message>
    <message><source>Name a place that is there; plumbline settings lists them.</source><translation>请写出存在的位置；plumbline settings 会列出它们。</translation></message>
    <message><source>Check the block's parameters and what it gets.</source><translation>请检查该模块的参数及其输入。</translation></message>
    <message><source>Use another block, or a newer Plumbline.</source><translation>请使用另一个模块，或更新版本的 Plumbline。</translation></message>
    <message><source>Restore the run from a copy; other runs are as they were.</source><translation>请从副本恢复该运行；其他运行不受影响。</translation></message>
    <message><source>Give both, a number a channel or column, or have them measured.</source><translation>请给出两者（每个通道或列一个数），或让程序测量。</translation></message>
    <message><source>Give each channel or column its standard deviation.</source><translation>请为每个通道或列给出其标准差。</translation></message>
    <message><source>Check the files that the data name.</source><translation>请检查数据所指的文件。</translation></message>
    <message><source>something else</source><translation>其他类型</translation></message>
    <message><source>{} has to be an object and is {}</source><translation>%1 必须是对象，而它是%2</translation></message>
    <message><source>the document</source><translation>整个文档</translation></message>
    <message><source>{} has to be {} and is {}</source><translation>%1 必须是%2，而它是%3</translation></message>
    <message><source>{} is missing</source><translation>缺少 %1</translation></message>
    <message><source>an integer below 2^63</source><translation>小于 2^63 的整数</translation></message>
    <message><source>true or false</source><translation>true 或 false</translation></message>
    <message><source>{} is not a known key</source><translation>%1 不是已知的键</translation></message>
    <message><source>Remove it.</source><translation>请将它删除。</translation></message>
    <message><source>Did you mean "{}"?</source><translation>您是指 "%1" 吗？</translation></message>
    <message><source>The edit does not fit the project as it is now: there is no {}</source><translation>该编辑与项目现在的内容不符：没有 %1</translation></message>
    <message><source>The edit does not fit the project as it is now: {} is {} and the edit expects {}</source><translation>该编辑与项目现在的内容不符：%1 是 %2，而编辑期望 %3</translation></message>
    <message><source>The edit does not fit the project as it is now: {} cannot take it</source><translation>该编辑与项目现在的内容不符：%1 不接受它</translation></message>
    <message><source>Undo the edits made since, or make the change by hand.</source><translation>请撤销此后所做的编辑，或手动修改。</translation></message>
    <message><source>An edit is a list of operations, and this is {}</source><translation>编辑必须是操作的列表，而它是%1</translation></message>
    <message><source>an operator</source><translation>运算符</translation></message>
    <message><source>"{}" has to have {} at column {}</source><translation>"%1" 在第 %3 列必须有%2</translation></message>
    <message><source>a divisor that is not 0</source><translation>不为 0 的除数</translation></message>
    <message><source>at most {} levels</source><translation>至多 %1 层</translation></message>
    <message><source>a closing parenthesis</source><translation>右括号</translation></message>
    <message><source>a number below 2^62</source><translation>小于 2^62 的数</translation></message>
    <message><source>a number, a symbol or a parenthesis</source><translation>数字、符号或括号</translation></message>
    <message><source>Write a whole number, a symbol as B, or arithmetic as 2*T + 1.</source><translation>请写一个整数、一个符号（如 B），或算式（如 2*T + 1）。</translation></message>
    <message><source>"{}" cannot name a block</source><translation>"%1" 不能作为模块的名称</translation></message>
    <message><source>Use letters, digits and _, not starting with a digit; or a number.</source><translation>请使用字母、数字和 _，且不以数字开头；或使用一个数字。</translation></message>
    <message><source>There is a block or an input named "{}" already</source><translation>已经有名为 "%1" 的模块或输入</translation></message>
    <message><source>Choose another name.</source><translation>请换一个名称。</translation></message>
    <message><source>There is no block named "{}"</source><translation>没有名为 "%1" 的模块</translation></message>
    <message><source>Choose one of the graph's blocks.</source><translation>请选择该图中的模块。</translation></message>
    <message><source>There is no definition named "{}"</source><translation>没有名为 "%1" 的定义</translation></message>
    <message><source>Choose one of the project's definitions.</source><translation>请选择项目中的定义。</translation></message>
    <message><source>A group needs at least one block</source><translation>组合至少需要一个模块</translation></message>
    <message><source>Select the blocks to group.</source><translation>请选择要组合的模块。</translation></message>
    <message><source>"{}" cannot name a new definition</source><translation>"%1" 不能作为新定义的名称</translation></message>
    <message><source>Choose a name that no definition has yet.</source><translation>请选择还没有定义使用的名称。</translation></message>
    <message><source>"{}" shares the weights of "{}", and only one of them is in the group</source><translation>"%1" 与 "%2" 共享权重，而组合中只有其中一个</translation></message>
    <message><source>Select both, or end the sharing first.</source><translation>请两个都选上，或先取消共享。</translation></message>
    <message><source>The group would feed itself through "{}", which is not in it</source><translation>该组合会通过不在其中的 "%1" 把输出送回自身</translation></message>
    <message><source>Select that block too.</source><translation>请把那个模块也选上。</translation></message>
    <message><source>{} has to be a text and is {}</source><translation>%1 必须是文本，而它是%2</translation></message>
    <message><source>Write the name of a node or input, as "conv" or "lstm.h_n".</source><translation>请写节点或输入的名称，例如 "conv" 或 "lstm.h_n"。</translation></message>
    <message><source>{} names "{}", which is no node and port</source><translation>%1 指向 "%2"，它不是节点加端口</translation></message>
    <message><source>{} has the port "{}", which is no name</source><translation>%1 的端口 "%2" 不是名称</translation></message>
    <message><source>A port is named by its name or its position.</source><translation>端口用它的名称或位置来指定。</translation></message>
    <message><source>{} has to be a text, a list or an object and is {}</source><translation>%1 必须是文本、列表或对象，而它是%2</translation></message>
    <message><source>Write a source, a list of sources, or an object from port to source.</source><translation>请写一个来源、来源的列表，或从端口到来源的对象。</translation></message>
    <message><source>true, false or an expression</source><translation>true、false 或表达式</translation></message>
    <message><source>an integer from 0 or an expression</source><translation>从 0 起的整数或表达式</translation></message>
    <message><source>{}/mode is "{}"</source><translation>%1/mode 是 "%2"</translation></message>
    <message><source>Use "eval" or "stochastic", or leave it out to follow the model.</source><translation>请使用 "eval" 或 "stochastic"；留空则跟随模型。</translation></message>
    <message><source>"{}" cannot name a parameter</source><translation>"%1" 不能作为参数的名称</translation></message>
    <message><source>Use letters, digits and _, and no word that expressions use.</source><translation>请使用字母、数字和 _，且不用表达式中的保留字。</translation></message>
    <message><source>{}/type is "{}"</source><translation>%1/type 是 "%2"</translation></message>
    <message><source>Use int, float, bool, text or list.</source><translation>请使用 int、float、bool、text 或 list。</translation></message>
    <message><source>{} has to be a list and is {}</source><translation>%1 必须是列表，而它是%2</translation></message>
    <message><source>Write, for example, ["B", 3, 32, 32].</source><translation>请写成例如 ["B", 3, 32, 32]。</translation></message>
    <message><source>{} has to be below 2^62</source><translation>%1 必须小于 2^62</translation></message>
    <message><source>Write a smaller number.</source><translation>请写一个更小的数。</translation></message>
    <message><source>{} is {}; a dimension is 1 or more</source><translation>%1 是 %2；维度至少为 1</translation></message>
    <message><source>Write a whole number from 1, or a symbol as "B".</source><translation>请写一个从 1 起的整数，或符号（如 "B"）。</translation></message>
    <message><source>{} has to be an integer or a text and is {}</source><translation>%1 必须是整数或文本，而它是%2</translation></message>
    <message><source>Write a whole number, or a symbol as "B".</source><translation>请写一个整数，或符号（如 "B"）。</translation></message>
    <message><source>"{}" cannot name an input</source><translation>"%1" 不能作为输入的名称</translation></message>
    <message><source>Use letters, digits and _, not starting with a digit.</source><translation>请使用字母、数字和 _，且不以数字开头。</translation></message>
    <message><source>{}/dtype is "{}"</source><translation>%1/dtype 是 "%2"</translation></message>
    <message><source>Use a dtype as PyTorch spells it, as "float32" or "int64".</source><translation>请使用 PyTorch 写法的 dtype，例如 "float32" 或 "int64"。</translation></message>
    <message><source>"{}" cannot name an output</source><translation>"%1" 不能作为输出的名称</translation></message>
    <message><source>{} has an input and a node named "{}"</source><translation>%1 中有一个输入和一个节点都叫 "%2"</translation></message>
    <message><source>Rename one of the two.</source><translation>请给其中一个改名。</translation></message>
    <message><source>"{}" cannot name a definition</source><translation>"%1" 不能作为定义的名称</translation></message>
    <message><source>The model unfolds to more than {} blocks. Lower a repeat, or nest fewer composites.</source><translation>模型展开后超过 %1 个模块。请减小某个 repeat，或减少复合模块的嵌套。</translation></message>
    <message><source>{} has {} = {}; it has to be {}. Correct the value.</source><translation>%1 的 %2 = %3；它必须是%4。请改正该值。</translation></message>
    <message><source>a whole number from 0</source><translation>从 0 起的整数</translation></message>
    <message><source>the sign needs a number and gets {}</source><translation>正负号需要一个数，而得到的是%1</translation></message>
    <message><source>the whole number does not fit 64 bits</source><translation>该整数超出 64 位</translation></message>
    <message><source>Use smaller numbers, or a float.</source><translation>请使用更小的数，或浮点数。</translation></message>
    <message><source>the result is not a finite number</source><translation>结果不是有限的数</translation></message>
    <message><source>Use smaller numbers.</source><translation>请使用更小的数。</translation></message>
    <message><source>No names are known here; write a value.</source><translation>这里没有已知的名称；请写一个值。</translation></message>
    <message><source>Known here: {}.</source><translation>这里已知：%1。</translation></message>
    <message><source>"{}" is not a known name</source><translation>"%1" 不是已知的名称</translation></message>
    <message><source>"{}" has no value</source><translation>"%1" 没有值</translation></message>
    <message><source>[ ] needs a list and an integer and gets {} and {}</source><translation>[ ] 需要一个列表和一个整数，而得到的是%1 和%2</translation></message>
    <message><source>item {} is asked for and the list has {}</source><translation>要取第 %1 项，而列表有 %2 项</translation></message>
    <message><source>len needs one list or text</source><translation>len 需要一个列表或文本</translation></message>
    <message><source>{} needs at least one number</source><translation>%1 至少需要一个数</translation></message>
    <message><source>{} needs numbers and gets {}</source><translation>%1 需要数字，而得到的是%2</translation></message>
    <message><source>{} cannot order {} and {}</source><translation>%1 无法比较%2 和%3 的大小</translation></message>
    <message><source>the list has more than {} items</source><translation>列表超过 %1 项</translation></message>
    <message><source>the operator needs two numbers and gets {} and {}</source><translation>该运算符需要两个数，而得到的是%1 和%2</translation></message>
    <message><source>something is divided by 0</source><translation>除数为 0</translation></message>
    <message><source>Make sure that the divisor is not 0.</source><translation>请确保除数不为 0。</translation></message>
    <message><source>0 is raised to a negative power</source><translation>0 的负数次幂</translation></message>
    <message><source>Make sure that the base is not 0.</source><translation>请确保底数不为 0。</translation></message>
    <message><source>a negative number is raised to a fraction</source><translation>负数的分数次幂</translation></message>
    <message><source>Make sure that the base is not negative.</source><translation>请确保底数不为负。</translation></message>
    <message><source>an operator or the end</source><translation>运算符或结尾</translation></message>
    <message><source>{} is wanted</source><translation>此处应有%1</translation></message>
    <message><source>it is nested more than {} levels deep</source><translation>嵌套超过 %1 层</translation></message>
    <message><source>"," or "{}"</source><translation>"," 或 "%1"</translation></message>
    <message><source>a value</source><translation>一个值</translation></message>
    <message><source>there is no function "{}"; there are min, max and len</source><translation>没有函数 "%1"；有 min、max 和 len</translation></message>
    <message><source>"{}" is no number that fits</source><translation>"%1" 不是合适的数</translation></message>
    <message><source>the text has no closing quote</source><translation>文本缺少右引号</translation></message>
    <message><source>"={}": {} (column {})</source><translation>"=%1"：%2（第 %3 列）</translation></message>
    <message><source>Correct the expression.</source><translation>请改正表达式。</translation></message>
    <message><source>it is longer than {} characters</source><translation>它超过 %1 个字符</translation></message>
    <message><source>The definition "{0}" has the name of a built-in block, which would hide it. Rename the definition.</source><translation>定义 "%1" 与内置模块同名，会把它遮住。请给该定义改名。</translation></message>
    <message><source>Set the type to </source><translation>把类型设为 %1</translation></message>
    <message><source>{} is of the type "{}", which is neither a block nor a definition. {}</source><translation>%1 的类型是 "%2"，它既不是模块也不是定义。%3</translation></message>
    <message><source>Choose a type from the palette.</source><translation>请从模块列表中选择一个类型。</translation></message>
    <message><source>{} puts the definition "{}" inside itself. Remove the block.</source><translation>%1 把定义 "%2" 放进了它自己。请删除该模块。</translation></message>
    <message><source>{} closes a circle of definitions: {} contain each other. Remove the block.</source><translation>%1 使定义形成环：%2 互相包含。请删除该模块。</translation></message>
    <message><source>Definitions are nested more than {} deep at {}. Flatten some of them.</source><translation>定义在 %2 处嵌套超过 %1 层。请展开其中一些。</translation></message>
    <message><source>The output </source><translation>输出 %1</translation></message>
    <message><source>The output {} of {}</source><translation>%2 的输出 %1</translation></message>
    <message><source>{} has nothing connected to it. Connect a block to it, or remove it.</source><translation>%1 没有连接任何模块。请把一个模块连到它，或将它删除。</translation></message>
    <message><source>{} has two connections to its input {}. Remove one of them.</source><translation>%1 的输入 %2 有两条连接。请删除其中一条。</translation></message>
    <message><source>{} has nothing connected to its input. Connect a block to it.</source><translation>%1 的输入没有连接。请把一个模块连到它。</translation></message>
    <message><source>{} has nothing connected to its input {}. Connect a block to it.</source><translation>%1 的输入 %2 没有连接。请把一个模块连到它。</translation></message>
    <message><source>{} has nothing connected to its inputs. Connect blocks to them.</source><translation>%1 的各输入都没有连接。请把模块连到它们。</translation></message>
    <message><source>{} has no input "{}"; its inputs are: {}. {}</source><translation>%1 没有输入 "%2"；它的输入有：%3。%4</translation></message>
    <message><source>Name one of these.</source><translation>请写其中之一。</translation></message>
    <message><source>Connect to one of these.</source><translation>请连接到其中之一。</translation></message>
    <message><source>{} takes {} input{} and gets more. Remove the connection from "{}".</source><translation>%1 有 %2 个输入，而得到的更多。请删除来自 "%4" 的连接。</translation></message>
    <message><source>{} reads "{}", and the input {} has no parts. Write "{}".</source><translation>%1 读取 "%2"，而输入 %3 没有分量。请写 "%4"。</translation></message>
    <message><source>{} reads from "{}", which is not there. {}</source><translation>%1 读取 "%2"，而它不存在。%3</translation></message>
    <message><source>Connect it to a block that is.</source><translation>请把它连到存在的模块。</translation></message>
    <message><source>{} reads from {}, which has no output. Give {} an output, or read another block.</source><translation>%1 读取 %2，而它没有输出。请给 %3 一个输出，或读取另一个模块。</translation></message>
    <message><source>{} reads "{}", and the outputs of {} are: {}. {}</source><translation>%1 读取 "%2"，而 %3 的输出有：%4。%5</translation></message>
    <message><source>Read one of these.</source><translation>请读取其中之一。</translation></message>
    <message><source>{} more</source><translation>另外 %1 个</translation></message>
    <message><source>{} feeds itself. Remove the connection.</source><translation>%1 把输出送回自身。请删除该连接。</translation></message>
    <message><source>{} feeds itself through {}. Remove one of the connections between them.</source><translation>%1 通过 %2 把输出送回自身。请删除它们之间的一条连接。</translation></message>
    <message><source>{} would need more memory than any machine has. Lower its sizes.</source><translation>%1 需要的内存比任何机器都多。请减小它的尺寸。</translation></message>
    <message><source>Insert a ToDtype block to </source><translation>插入一个转换到 %1 的 ToDtype 模块</translation></message>
    <message><source>Set {} to {}</source><translation>把 %1 设为 %2</translation></message>
    <message><source>Set kernel_size to {}</source><translation>把 kernel_size 设为 %1</translation></message>
    <message><source>Connect {} to {}</source><translation>把 %1 连到 %2</translation></message>
    <message><source>Read </source><translation>读取 %1</translation></message>
    <message><source>Freeze </source><translation>冻结 %1</translation></message>
    <message><source>Remove {}, so that it follows the input</source><translation>去掉 %1，让它跟随输入</translation></message>
    <message><source>{} is to share the weights of {}, which is not there. Name a block of the same graph in weights.</source><translation>%1 要共享 %2 的权重，而它不存在。请在 weights 中写同一个图里的模块。</translation></message>
    <message><source>{} is to share its own weights. Name another block in weights, or clear it.</source><translation>%1 要共享它自己的权重。请在 weights 中写另一个模块，或将其清空。</translation></message>
    <message><source>{} is to share the weights of {}, which comes after it. Let {} share the weights of {} instead.</source><translation>%1 要共享 %2 的权重，而它排在后面。请改为让 %3 共享 %4 的权重。</translation></message>
    <message><source>{} is to share the weights of {}, and their parameters have different shapes. Give both the same type and sizes.</source><translation>%1 要共享 %2 的权重，而两者参数的形状不同。请让两者的类型和尺寸相同。</translation></message>
    <message><source>{} is to share the weights of {}, and their {} differs: one set of weights is one block that is used twice. Give both the same parameters.</source><translation>%1 要共享 %2 的权重，而两者的 %3 不同：一组权重就是一个被使用两次的模块。请让两者的参数相同。</translation></message>
    <message><source>{} of the initialisation {} has to be {} and is {}.</source><translation>初始化 %2 的 %1 必须是%3，而它是 %4。</translation></message>
    <message><source>greater than 0</source><translation>大于 0</translation></message>
    <message><source>The initialisation {} has no setting {}.</source><translation>初始化 %1 没有设置 %2。</translation></message>
    <message><source>It knows: {}.</source><translation>它有：%1。</translation></message>
    <message><source>"fan_in" or "fan_out"</source><translation>"fan_in" 或 "fan_out"</translation></message>
    <message><source>one of {}</source><translation>%1 之一</translation></message>
    <message><source>{} has to be an object with a text "scheme".</source><translation>%1 必须是含有文本 "scheme" 的对象。</translation></message>
    <message><source>Write, for example, {"scheme": "kaiming_normal"}.</source><translation>请写成例如 {"scheme": "kaiming_normal"}。</translation></message>
    <message><source>low of the initialisation trunc_normal has to be below high.</source><translation>初始化 trunc_normal 的 low 必须小于 high。</translation></message>
    <message><source>There is no initialisation scheme {}.</source><translation>没有初始化方案 %1。</translation></message>
    <message><source>The schemes are: {}.</source><translation>可用的方案：%1。</translation></message>
    <message><source>Did you mean {}?</source><translation>您是指 %1 吗？</translation></message>
    <message><source>Say that it is meant</source><translation>声明这是有意的</translation></message>
    <message><source>{} combines [{}] from {} with [{}] from {}: values are repeated to make [{}]. Give both the same shape, or set allow_broadcast to say that it is meant.</source><translation>%1 把来自 %3 的 [%2] 与来自 %5 的 [%4] 合并：数值会被重复成 [%6]。请让两者形状相同，或设置 allow_broadcast 声明这是有意的。</translation></message>
    <message><source>Reshape {} to [{}]</source><translation>把 %1 变形为 [%2]</translation></message>
    <message><source>{} joins its inputs along dim {}, the batch: the samples stand one behind the other and no longer fit their targets. Set dim to the dimension of the features, as 1.</source><translation>%1 沿 dim %2（批次维）拼接输入：样本前后相接，不再与目标对应。请把 dim 设为特征所在的维，例如 1。</translation></message>
    <message><source>the output </source><translation>输出 %1</translation></message>
    <message><source>{} overwrites the model's input {} in place. Set inplace to false.</source><translation>%1 原地覆盖了模型的输入 %2。请把 inplace 设为 false。</translation></message>
    <message><source>{} overwrites the output of {} in place, and {} reads it too. Set inplace to false.</source><translation>%1 原地覆盖了 %2 的输出，而 %3 也读取它。请把 inplace 设为 false。</translation></message>
    <message><source>Remove {}</source><translation>删除 %1</translation></message>
    <message><source>{} applies LogSoftmax before {}, which applies it itself. Remove {}.</source><translation>%1 在 %2 之前做了 LogSoftmax，而后者自己会做。请删除 %3。</translation></message>
    <message><source>{} applies {} to the output {} before {}, which applies {} itself: scores are squeezed twice and training is slow or stuck. Remove {}.</source><translation>%1 在 %4 之前对输出 %3 做了 %2，而后者自己会做 %5：得分被压缩两次，训练缓慢或停滞。请删除 %6。</translation></message>
    <message><source>gradients stop at {}</source><translation>梯度在 %1 处中断</translation></message>
    <message><source>its output leads to no loss</source><translation>它的输出不通向任何损失</translation></message>
    <message><source>{} has {} parameters that no loss reaches, so they never change: {}. Connect it to a loss, remove it, or freeze it to say that it is meant.</source><translation>%1 有 %2 个参数没有任何损失能到达，所以永远不变：%3。请把它连到损失、将它删除，或冻结它以声明这是有意的。</translation></message>
    <message><source>between {} and {}</source><translation>介于 %1 和 %2 之间</translation></message>
    <message><source>{} or more</source><translation>%1 或更大</translation></message>
    <message><source>{} or less</source><translation>%1 或更小</translation></message>
    <message><source>a whole number</source><translation>整数</translation></message>
    <message><source>one of </source><translation>%1 之一</translation></message>
    <message><source>a whole number or a list of them</source><translation>整数或整数的列表</translation></message>
    <message><source>a whole number, a list of them, or </source><translation>整数、整数的列表，或 %1</translation></message>
    <message><source>a list of whole numbers</source><translation>整数的列表</translation></message>
    <message><source>Rename {} to {}</source><translation>把 %1 改名为 %2</translation></message>
    <message><source>It has {}.</source><translation>它有 %1。</translation></message>
    <message><source>{}: {} has no parameter "{}". {}</source><translation>%1：%2 没有参数 "%3"。%4</translation></message>
    <message><source>{} needs {}, which has no default. Set it.</source><translation>%1 需要 %2，而它没有默认值。请设置它。</translation></message>
    <message><source>{} needs {}, which has no default ({}). Set it.</source><translation>%1 需要 %2，而它没有默认值（%3）。请设置它。</translation></message>
    <message><source>{} has {} = {}; it has to be {}.{}</source><translation>%1 的 %2 = %3；它必须是%4。%5</translation></message>
    <message><source> Did you mean "{}"?</source><translation>您是指 "%1" 吗？</translation></message>
    <message><source>{} has {} = {}; it has to be {}. Set it to {}.</source><translation>%1 的 %2 = %3；它必须是%4。请把它设为 %5。</translation></message>
    <message><source>{} has {} = {}, which is larger than any size can be. Set it below 2^31.</source><translation>%1 的 %2 = %3，大于任何尺寸所能取的值。请设为小于 2^31。</translation></message>
    <message><source>{} has {} = {}; it has to be {}. {}</source><translation>%1 的 %2 = %3；它必须是%4。%5</translation></message>
    <message><source>The input {} has no shape or no dtype. Give it both, as ["B", 3, 32, 32] and float32.</source><translation>输入 %1 没有形状或 dtype。请给出两者，例如 ["B", 3, 32, 32] 和 float32。</translation></message>
    <message><source>The input {} has the dimension {}. Write a whole number from 1, or a symbol as "B".</source><translation>输入 %1 有维度 %2。请写一个从 1 起的整数，或符号（如 "B"）。</translation></message>
    <message><source>The model has no blocks yet. Add one from the palette.</source><translation>模型还没有模块。请从模块列表中添加一个。</translation></message>
    <message><source>The model has no input, so nothing flows through it. Add an input.</source><translation>模型没有输入，所以没有数据流过它。请添加一个输入。</translation></message>
    <message><source>The model has no output, so there is nothing to train on. Add an output and connect a block to it.</source><translation>模型没有输出，所以没有可训练的目标。请添加一个输出，并把一个模块连到它。</translation></message>
    <message><source>Nothing reads the output of {}, so it has no effect. Connect it, or remove it.</source><translation>没有模块读取 %1 的输出，所以它没有作用。请连接它，或将它删除。</translation></message>
    <message><source>Nothing flows into {}. Connect a block to it.</source><translation>没有数据流入 %1。请把一个模块连到它。</translation></message>
    <message><source>{} reads an output of {} that has no value while that block is switched off. Switch it on, or read another output.</source><translation>%1 读取 %2 的一个输出，而该模块被停用时它没有值。请启用它，或读取另一个输出。</translation></message>
    <message><source>Nothing flows into the output {}. Connect a block to it.</source><translation>没有数据流入输出 %1。请把一个模块连到它。</translation></message>
    <message><source>expects numbers and gets bool from {0}</source><translation>需要数字，而从 %1 得到 bool</translation></message>
    <message><source>Insert a ToDtype block with dtype float32.</source><translation>请插入一个 dtype 为 float32 的 ToDtype 模块。</translation></message>
    <message><source>expects floating-point values and gets {} from {{0}}</source><translation>需要浮点数，而从 %2 得到 %1</translation></message>
    <message><source>has float32 parameters and gets {} from {{0}}</source><translation>的参数是 float32，而从 %2 得到 %1</translation></message>
    <message><source>expects {} and gets [{}] from {{0}}</source><translation>需要 %1，而从 %3 得到 [%2]</translation></message>
    <message><source>Connect a block whose output has that form, or insert a Reshape.</source><translation>请连接输出为该形式的模块，或插入一个 Reshape。</translation></message>
    <message><source>Insert a Flatten or Reshape, or connect a block whose output has that form.</source><translation>请插入 Flatten 或 Reshape，或连接输出为该形式的模块。</translation></message>
    <message><source>needs a fixed number of {} and gets {} from {{0}}</source><translation>需要固定的%1，而从 %3 得到 %2</translation></message>
    <message><source>Give the input a fixed size there, or check the order of its dimensions.</source><translation>请让输入在该处有固定的尺寸，或检查维度的顺序。</translation></message>
    <message><source>expects {} {} and gets {} from {{0}}</source><translation>需要 %1 %2，而从 %4 得到 %3</translation></message>
    <message><source>Set {} to {}, or connect a block with {}.</source><translation>请把 %1 设为 %2，或连接有 %3 的模块。</translation></message>
    <message><source>has {} = {} and gets {} dimensions from {{0}}</source><translation>的 %1 = %2，而从 %4 得到 %3 个维度</translation></message>
    <message><source>Connect an input that has dimensions.</source><translation>请连接有维度的输入。</translation></message>
    <message><source>Set {} between {} and {}.</source><translation>请把 %1 设在 %2 和 %3 之间。</translation></message>
    <message><source>has {} = {}, which is neither one number nor {}</source><translation>的 %1 = %2，它既不是一个数，也不是 %3</translation></message>
    <message><source>Set {} to one integer or a list of {}.</source><translation>请把 %1 设为一个整数或 %2 的列表。</translation></message>
    <message><source>[B, C, H, W] or [C, H, W]</source><translation>[B, C, H, W] 或 [C, H, W]</translation></message>
    <message><source>has groups = {}, which does not divide both in_channels {} and out_channels {}</source><translation>的 groups = %1，不能同时整除 in_channels %2 和 out_channels %3</translation></message>
    <message><source>Set groups to a divisor of both.</source><translation>请把 groups 设为两者的约数。</translation></message>
    <message><source>has padding "same" with stride {}</source><translation>的 padding 为 "same"，而 stride 为 %1</translation></message>
    <message><source>Set stride to 1, or padding to numbers.</source><translation>请把 stride 设为 1，或把 padding 设为数字。</translation></message>
    <message><source>has a kernel that reaches over {} {} and gets [{}] from {{0}}, {} with its padding</source><translation>的卷积核覆盖 %1 %2，而从 %4 得到 [%3]，加上填充为 %5</translation></message>
    <message><source>Make the kernel smaller, or the padding larger.</source><translation>请减小卷积核，或增大填充。</translation></message>
    <message><source>pads by {} in the mode {} and gets a size of {} from {{0}}</source><translation>以模式 %2 填充 %1，而从 %4 得到的尺寸是 %3</translation></message>
    <message><source>Make the padding smaller, or use the mode zeros.</source><translation>请减小填充，或使用模式 zeros。</translation></message>
    <message><source>looks up whole numbers (int64 or int32) and gets {} from {{0}}</source><translation>按整数（int64 或 int32）查表，而从 %2 得到 %1</translation></message>
    <message><source>Connect token ids, or insert a ToDtype block with dtype int64.</source><translation>请连接词元编号，或插入 dtype 为 int64 的 ToDtype 模块。</translation></message>
    <message><source>has padding_idx = {} and {} rows</source><translation>的 padding_idx = %1，而共有 %2 行</translation></message>
    <message><source>Set padding_idx between {} and {}.</source><translation>请把 padding_idx 设在 %1 和 %2 之间。</translation></message>
    <message><source>[..., features]</source><translation>[..., 特征]</translation></message>
    <message><source>combines two or more inputs and gets {}</source><translation>合并两个或更多输入，而得到 %1 个</translation></message>
    <message><source>Connect another block to it.</source><translation>请再连接一个模块。</translation></message>
    <message><source>gets [{}] from {{0}} and [{}] from {{{}}}, which do not fit together: {} against {}</source><translation>从 %2 得到 [%1]，从 %4 得到 [%3]，两者不匹配：%5 对 %6</translation></message>
    <message><source>Give both the same shape.</source><translation>请让两者形状相同。</translation></message>
    <message><source>joins along dim {} and gets [{}] from {{0}} and [{}] from {{{}}}</source><translation>沿 dim %1 拼接，而从 %3 得到 [%2]，从 %5 得到 [%4]</translation></message>
    <message><source>Give both the same sizes in all other dimensions.</source><translation>请让两者在其他所有维上的尺寸相同。</translation></message>
    <message><source>normalises over {} dimensions and gets [{}] from {{0}}</source><translation>在 %1 个维上归一化，而从 %3 得到 [%2]</translation></message>
    <message><source>State fewer dimensions in normalized_shape.</source><translation>请在 normalized_shape 中写更少的维。</translation></message>
    <message><source>normalises over {} and gets [{}] from {{0}}</source><translation>在 %1 上归一化，而从 %3 得到 [%2]</translation></message>
    <message><source>Set normalized_shape to {}, or connect a block with that shape.</source><translation>请把 normalized_shape 设为 %1，或连接该形状的模块。</translation></message>
    <message><source>has num_groups = {}, which does not divide the {} channels from {{0}}</source><translation>的 num_groups = %1，不能整除来自 %3 的 %2 个通道</translation></message>
    <message><source>Set num_groups to a divisor of {}.</source><translation>请把 num_groups 设为 %1 的约数。</translation></message>
    <message><source>[B, C] or [B, C, L]</source><translation>[B, C] 或 [B, C, L]</translation></message>
    <message><source>has padding = {}, more than half of the {} that its kernel reaches over</source><translation>的 padding = %1，超过其核覆盖范围 %2 的一半</translation></message>
    <message><source>Set padding to {} or less.</source><translation>请把 padding 设为 %1 或更小。</translation></message>
    <message><source>needs a fixed size with ceil_mode and stride {}, and gets {} from {{0}}</source><translation>在 ceil_mode 和 stride %1 下需要固定的尺寸，而从 %3 得到 %2</translation></message>
    <message><source>Give the input a fixed height and width, or set ceil_mode to false.</source><translation>请给输入固定的高和宽，或把 ceil_mode 设为 false。</translation></message>
    <message><source>has a window over {} values and gets {} from {{0}}</source><translation>的窗口覆盖 %1 个值，而从 %3 得到 %2</translation></message>
    <message><source>Make kernel_size smaller, or pool less before.</source><translation>请减小 kernel_size，或在前面少做池化。</translation></message>
    <message><source>has output_size = {}, which is neither one number nor two</source><translation>的 output_size = %1，它既不是一个数也不是两个数</translation></message>
    <message><source>Set output_size to one integer or a list of two.</source><translation>请把 output_size 设为一个整数或两个整数的列表。</translation></message>
    <message><source>[B, T, features]</source><translation>[B, T, 特征]</translation></message>
    <message><source>[T, B, features] (batch_first is false)</source><translation>[T, B, 特征]（batch_first 为 false）</translation></message>
    <message><source>has proj_size = {} and hidden_size = {}</source><translation>的 proj_size = %1，而 hidden_size = %2</translation></message>
    <message><source>Set proj_size below hidden_size, or to 0 for no projection.</source><translation>请让 proj_size 小于 hidden_size，或设为 0 表示不投影。</translation></message>
    <message><source>expects {} of float32 [{}] and gets {} [{}] from {{{}}}</source><translation>需要 float32 的 %1 [%2]，而从 %5 得到 %3 [%4]</translation></message>
    <message><source>Connect a state of that shape, or leave it out to start from zero.</source><translation>请连接该形状的状态，或留空以从零开始。</translation></message>
    <message><source>gets one of h_0 and c_0 without the other</source><translation>只得到 h_0 和 c_0 中的一个</translation></message>
    <message><source>Connect both, or neither to start from zero.</source><translation>请两个都连接，或都不连接以从零开始。</translation></message>
    <message><source>has {} = {}, which names a dimension twice</source><translation>的 %1 = %2，把同一维写了两次</translation></message>
    <message><source>Name each dimension once.</source><translation>每个维只写一次。</translation></message>
    <message><source>has start_dim = {} behind end_dim = {} for [{}] from {{0}}</source><translation>对来自 %4 的 [%3]，start_dim = %1 在 end_dim = %2 之后</translation></message>
    <message><source>Set start_dim before end_dim.</source><translation>请让 start_dim 在 end_dim 之前。</translation></message>
    <message><source>has shape = {} with more than one -1</source><translation>的 shape = %1 中有多于一个 -1</translation></message>
    <message><source>Leave one size open.</source><translation>请只留一个尺寸不定。</translation></message>
    <message><source>has shape = {} with a size of 0</source><translation>的 shape = %1 中有尺寸 0</translation></message>
    <message><source>Write sizes from 1, or one -1.</source><translation>请写从 1 起的尺寸，或一个 -1。</translation></message>
    <message><source>makes {} and gets [{}] from {{0}}, {} values</source><translation>生成 %1，而从 %3 得到 [%2]，共 %4 个值</translation></message>
    <message><source>Write sizes whose product is that number; -1 stands for what is left, as the batch.</source><translation>请写乘积等于该数的尺寸；-1 代表剩下的部分，例如批次。</translation></message>
    <message><source>has dims = {} and gets [{}] from {{0}}</source><translation>的 dims = %1，而从 %3 得到 [%2]</translation></message>
    <message><source>Name all {} dimensions in their new order.</source><translation>请按新的顺序写出全部 %1 个维。</translation></message>
    <message><source>takes index {} of dimension {} and gets {} there from {{0}}</source><translation>取维 %2 的第 %1 项，而从 %4 在该维得到 %3</translation></message>
    <message><source>Set index between {} and {}.</source><translation>请把 index 设在 %1 和 %2 之间。</translation></message>
    <message><source>"error", "mean", "median", "most_frequent" or "drop_row"</source><translation>"error"、"mean"、"median"、"most_frequent" 或 "drop_row"</translation></message>
    <message><source>{} has to be {}</source><translation>%1 必须是%2</translation></message>
    <message><source>{} has to be {}, or an object with one of these for each column</source><translation>%1 必须是%2，或按列给出其中之一的对象</translation></message>
    <message><source>{} has to be a single character</source><translation>%1 必须是单个字符</translation></message>
    <message><source>Usual are ",", ";" and "\&#9;".</source><translation>常用的是 ","、";" 和 "\t"。</translation></message>
    <message><source>"decimal" has to be "." or ","</source><translation>"decimal" 必须是 "." 或 ","</translation></message>
    <message><source>an object of columns</source><translation>各列的对象</translation></message>
    <message><source>{} has to be "numeric" or "categorical"</source><translation>%1 必须是 "numeric" 或 "categorical"</translation></message>
    <message><source>a list of columns</source><translation>列的列表</translation></message>
    <message><source>The source has an empty path</source><translation>数据源的路径为空</translation></message>
    <message><source>"delimiter" and "decimal" are the same character</source><translation>"delimiter" 与 "decimal" 是同一个字符</translation></message>
    <message><source>With a decimal comma the delimiter is usually ";".</source><translation>小数用逗号时，分隔符通常是 ";"。</translation></message>
    <message><source>{} is UTF-16</source><translation>%1 是 UTF-16</translation></message>
    <message><source>Save it as UTF-8.</source><translation>请把它存为 UTF-8。</translation></message>
    <message><source>{}, row {}: {}</source><translation>%1，第 %2 行：%3</translation></message>
    <message><source>a quoted field is never closed</source><translation>带引号的字段没有结束</translation></message>
    <message><source>Add the missing quotation mark ("), or double it inside the field.</source><translation>请补上缺少的引号 (")，或在字段内把它写两次。</translation></message>
    <message><source>a quoted field is longer than 64 MiB</source><translation>带引号的字段超过 64 MiB</translation></message>
    <message><source>A quotation mark (") is probably missing.</source><translation>可能缺少一个引号 (")。</translation></message>
    <message><source>field {} goes on after its closing quotation mark</source><translation>字段 %1 在右引号之后还有内容</translation></message>
    <message><source>Double the quotation marks inside the field ("").</source><translation>请把字段内的引号写两次 ("")。</translation></message>
    <message><source>the row is longer than 64 MiB or a million fields</source><translation>该行超过 64 MiB 或一百万个字段</translation></message>
    <message><source>Is this a CSV file?</source><translation>这是 CSV 文件吗？</translation></message>
    <message><source>{}, row {}, column "{}": {}</source><translation>%1，第 %2 行，"%3" 列：%4</translation></message>
    <message><source>{}, row {}: the row has {} fields and the first row has {}</source><translation>%1，第 %2 行：该行有 %3 个字段，而第一行有 %4 个</translation></message>
    <message><source>Correct the row; a field with the delimiter in it has to be in quotation marks.</source><translation>请改正该行；含有分隔符的字段必须加引号。</translation></message>
    <message><source>{} is empty</source><translation>%1 是空的</translation></message>
    <message><source>It needs a header and at least one row.</source><translation>它需要表头和至少一行。</translation></message>
    <message><source>{}: the header is not UTF-8 text in field {}</source><translation>%1：表头的字段 %2 不是 UTF-8 文本</translation></message>
    <message><source>Save the file as UTF-8.</source><translation>请把文件存为 UTF-8。</translation></message>
    <message><source>{}: column {} has no name</source><translation>%1：第 %2 列没有名称</translation></message>
    <message><source>Name it in the first row, or set "header": false if the first row is data.</source><translation>请在第一行给它命名；如果第一行是数据，请设置 "header": false。</translation></message>
    <message><source>{}: columns {} and {} are both named "{}"</source><translation>%1：第 %2 列和第 %3 列都叫 "%4"</translation></message>
    <message><source>Rename one of them, or set "header": false if the first row is data.</source><translation>请给其中一列改名；如果第一行是数据，请设置 "header": false。</translation></message>
    <message><source>{} has a single column, "{}"</source><translation>%1 只有一列 "%2"</translation></message>
    <message><source>Set "delimiter" to "{}".</source><translation>请把 "delimiter" 设为 "%1"。</translation></message>
    <message><source>{} has no column "{}"</source><translation>%1 没有 "%2" 列</translation></message>
    <message><source>the value is missing</source><translation>缺少该值</translation></message>
    <message><source>the value is missing ("{}")</source><translation>缺少该值（"%1"）</translation></message>
    <message><source>Fill it in, or set "missing" of the source to "mean", "median", "most_frequent" or "drop_row".</source><translation>请填上它，或把数据源的 "missing" 设为 "mean"、"median"、"most_frequent" 或 "drop_row"。</translation></message>
    <message><source>the target is missing, and a target is never made up</source><translation>缺少目标值，而目标值从不编造</translation></message>
    <message><source>Fill it in, or set "missing" of this column to "drop_row".</source><translation>请填上它，或把该列的 "missing" 设为 "drop_row"。</translation></message>
    <message><source>"{}" is not a number</source><translation>"%1" 不是数字</translation></message>
    <message><source>Correct it, or remove the column from "types".</source><translation>请改正它，或从 "types" 中去掉该列。</translation></message>
    <message><source>the text is not UTF-8</source><translation>该文本不是 UTF-8</translation></message>
    <message><source>{} has a header and no rows</source><translation>%1 有表头但没有数据行</translation></message>
    <message><source>"{}" is not finite</source><translation>"%1" 不是有限的数</translation></message>
    <message><source>Correct the value, or remove the row.</source><translation>请改正该值，或删除该行。</translation></message>
    <message><source>"{}" is outside of what a float64 can hold</source><translation>"%1" 超出 float64 的范围</translation></message>
    <message><source>the column has more than a million different texts</source><translation>该列有超过一百万种不同的文本</translation></message>
    <message><source>Leave it out with "ignore".</source><translation>请用 "ignore" 略过它。</translation></message>
    <message><source>{} changed while it was read</source><translation>%1 在读取时发生了变化</translation></message>
    <message><source>Try again once it is complete.</source><translation>请在它写完之后再试。</translation></message>
    <message><source>{}: {} of {} rows were dropped because of missing values</source><translation>%1：%3 行中有 %2 行因缺少值而被丢弃</translation></message>
    <message><source>{}: every row has a missing value and was dropped</source><translation>%1：每一行都缺少值，全部被丢弃</translation></message>
    <message><source>Use another choice for "missing", or leave out the column that is empty.</source><translation>请为 "missing" 选择别的方式，或略过为空的列。</translation></message>
    <message><source>{}: the column "{}" has no values</source><translation>%1："%2" 列没有值</translation></message>
    <message><source>{}: the column "{}" is taken as text because of "{}" in row {}</source><translation>%1："%2" 列因第 %4 行的 "%3" 被当作文本</translation></message>
    <message><source>{}: the column "{}" has no value in the training split to fill its gaps with</source><translation>%1："%2" 列在训练集中没有可用来填补空缺的值</translation></message>
    <message><source>{}: {} missing values of "{}" were filled with {}</source><translation>%1："%3" 的 %2 个缺失值用 %4 填补</translation></message>
    <message><source>{}: the column "{}" is text, has gaps, and text has no mean or median</source><translation>%1："%2" 列是文本且有空缺，而文本没有均值或中位数</translation></message>
    <message><source>Set "missing" of this column to "most_frequent" or "drop_row".</source><translation>请把该列的 "missing" 设为 "most_frequent" 或 "drop_row"。</translation></message>
    <message><source>{}: {} missing values of "{}" were filled with "{}"</source><translation>%1："%3" 的 %2 个缺失值用 "%4" 填补</translation></message>
    <message><source>The value of "{}" {}</source><translation>"%1" 的值%2</translation></message>
    <message><source>is "{}", which is not a finite number</source><translation>是 "%1"，不是有限的数</translation></message>
    <message><source>is "{}", which does not occur in {}</source><translation>是 "%1"，它不在 %2 中出现</translation></message>
    <message><source>The model takes {} values and there are {}</source><translation>模型需要 %1 个值，而给出了 %2 个</translation></message>
    <message><source>Give them in the order of the columns, or as "name=value,name=value".</source><translation>请按列的顺序给出，或写成 "name=value,name=value"。</translation></message>
    <message><source>The model takes no value "{}"</source><translation>模型不需要值 "%1"</translation></message>
    <message><source>Write them as "name=value,name=value".</source><translation>请写成 "name=value,name=value"。</translation></message>
    <message><source>The value of "{}" is not given</source><translation>没有给出 "%1" 的值</translation></message>
    <message><source>The model needs a value for every input column.</source><translation>模型的每个输入列都需要一个值。</translation></message>
    <message><source>The model needs a value for every input column whose gaps the project does not fill ("missing" of the source).</source><translation>凡是项目不填补缺失的输入列，模型都需要一个值（数据源的 "missing"）。</translation></message>
    <message><source>There is no {} yet.</source><translation>还没有 %1。</translation></message>
    <message><source>Known are {}.</source><translation>已知的有 %1。</translation></message>
    <message><source>A source cannot be named "{}"</source><translation>数据源不能叫 "%1"</translation></message>
    <message><source>Choose a name without a dot: the dot separates source and column.</source><translation>请选择不含点的名称：点用来分隔数据源和列。</translation></message>
    <message><source>There is no source type "{}"</source><translation>没有数据源类型 "%1"</translation></message>
    <message><source>source type</source><translation>数据源类型</translation></message>
    <message><source>"{}" does not name a source and a column</source><translation>"%1" 不是数据源加列</translation></message>
    <message><source>Write it as "source.column", "digits.image" for instance.</source><translation>请写成 "source.column"，例如 "digits.image"。</translation></message>
    <message><source>There is no source "{}"</source><translation>没有数据源 "%1"</translation></message>
    <message><source>The source "{}" has no "{}"</source><translation>数据源 "%1" 没有 "%2"</translation></message>
    <message><source>"source.column" or a list of those</source><translation>"source.column" 或它们的列表</translation></message>
    <message><source>Data cannot have the dtype "{}"</source><translation>数据不能用 dtype "%1"</translation></message>
    <message><source>Leave it out and set training.precision instead.</source><translation>请去掉它，改为设置 training.precision。</translation></message>
    <message><source>train, validation and test are {}, {} and {}, {} together</source><translation>train、validation 和 test 为 %1、%2 和 %3，合计 %4</translation></message>
    <message><source>Let them add to 1; a share that is not named is 0.</source><translation>请让它们合计为 1；没有写的份额为 0。</translation></message>
    <message><source>The training split is empty</source><translation>训练集是空的</translation></message>
    <message><source>Give it a share above 0.</source><translation>请给它大于 0 的份额。</translation></message>
    <message><source>There is no target "{}" to stratify by</source><translation>没有可用来分层的目标 "%1"</translation></message>
    <message><source>The source "{}" has no samples</source><translation>数据源 "%1" 没有样本</translation></message>
    <message><source>The sources "{}" and "{}" have {} and {} samples</source><translation>数据源 "%1" 和 "%2" 分别有 %3 和 %4 个样本</translation></message>
    <message><source>Sources that are used together need one row a sample, in the same order.</source><translation>一起使用的数据源必须每个样本一行，且顺序相同。</translation></message>
    <message><source>Rows with missing values were dropped from one of several sources</source><translation>多个数据源之一中有缺少值的行被丢弃</translation></message>
    <message><source>Fill them instead ("missing": "median"): dropping would pair samples of different rows.</source><translation>请改为填补（"missing": "median"）：丢弃会把不同行的样本配在一起。</translation></message>
    <message><source>The source "{}" is not used by any input or target</source><translation>数据源 "%1" 没有被任何输入或目标使用</translation></message>
    <message><source>There are only {} samples, and none of them falls into the training split</source><translation>只有 %1 个样本，而且没有一个落入训练集</translation></message>
    <message><source>Give training a larger share, or add data.</source><translation>请给训练集更大的份额，或增加数据。</translation></message>
    <message><source>The {} split is empty: there are only {} samples</source><translation>%1 集是空的：只有 %2 个样本</translation></message>
    <message><source>The {} split has no sample of {} {} of the target "{}": {}{}.</source><translation>%1 集没有目标 "%4" 的 %2 个类别的样本：%5%6。</translation></message>
    <message><source>Stopped while making a batch</source><translation>在生成批次时停止</translation></message>
    <message><source>The {} split has {} samples; {} is not one of them</source><translation>%1 集有 %2 个样本；%3 不在其中</translation></message>
    <message><source>There is not enough memory for a batch of {}</source><translation>内存不足以容纳 %1 个样本的批次</translation></message>
    <message><source>Lower data.loader.batch_size or prefetch_batches.</source><translation>请减小 data.loader.batch_size 或 prefetch_batches。</translation></message>
    <message><source>This model's inputs come from several sources and cannot be given as one text</source><translation>该模型的输入来自多个数据源，不能作为一段文本给出</translation></message>
    <message><source>Name a sample of a split, "test:0" for instance.</source><translation>请指定某个划分的样本，例如 "test:0"。</translation></message>
    <message><source>There is not enough memory to hold the data</source><translation>内存不足以容纳数据</translation></message>
    <message><source>Use a smaller data set, or smaller images ("resize").</source><translation>请使用更小的数据集，或更小的图像（"resize"）。</translation></message>
    <message><source>There is no split "{}"</source><translation>没有划分 "%1"</translation></message>
    <message><source>Known are train, validation and test.</source><translation>有 train、validation 和 test。</translation></message>
    <message><source>The project has no data yet</source><translation>项目还没有数据</translation></message>
    <message><source>Add a source under data.sources, and name it under data.inputs and data.targets.</source><translation>请在 data.sources 下添加数据源，并在 data.inputs 和 data.targets 下写出它。</translation></message>
    <message><source>The data cannot be read: {}</source><translation>无法读取数据：%1</translation></message>
    <message><source>The source "{}" has no column "{}"</source><translation>数据源 "%1" 没有 "%2" 列</translation></message>
    <message><source>The column "{}" is not numeric and cannot be put beside others</source><translation>"%1" 列不是数字，不能与其他列并排</translation></message>
    <message><source>Name the numeric columns, and give this one an input of its own with one_hot, or leave it out with "ignore".</source><translation>请写出数字列，并用 one_hot 给这一列单独的输入，或用 "ignore" 略过它。</translation></message>
    <message><source>The target "{}" has the value {} in sample {}, which is no class index</source><translation>目标 "%1" 在样本 %3 中的值是 %2，它不是类别编号</translation></message>
    <message><source>Class indices are whole and from 0 to {}; leave "dtype" out to predict a number.</source><translation>类别编号是从 0 到 %1 的整数；要预测数值请去掉 "dtype"。</translation></message>
    <message><source>The target "{}" is a number, not a class</source><translation>目标 "%1" 是数值，不是类别</translation></message>
    <message><source>Stratify by a class, or leave "stratify" out.</source><translation>请按类别分层，或去掉 "stratify"。</translation></message>
    <message><source>{}/kind is "{}", which is none of clusters, images, noise, sequences</source><translation>%1/kind 是 "%2"，它不是 clusters、images、noise、sequences 之一</translation></message>
    <message><source>{} asks for {} samples of {} values, more than {} in all</source><translation>%1 要求 %2 个样本、每个 %3 个值，总数超过 %4</translation></message>
    <message><source>Ask for fewer samples.</source><translation>请要求更少的样本。</translation></message>
    <message><source>"{}" is no number of a generated sample from 0 to {}</source><translation>"%1" 不是生成样本的编号（0 到 %2）</translation></message>
    <message><source>ends in the middle of its gzip data</source><translation>在其 gzip 数据中间结束</translation></message>
    <message><source>is damaged: {}</source><translation>已损坏：%1</translation></message>
    <message><source>Get the file anew.</source><translation>请重新获取该文件。</translation></message>
    <message><source>is empty</source><translation>是空的</translation></message>
    <message><source>is not an IDX file: it starts with {:02x} {:02x} {:02x} {:02x}</source><translation>不是 IDX 文件：它以 %1 %2 %3 %4 开头</translation></message>
    <message><source>An IDX file starts with 00 00, a type from 08 to 0e and its number of dims.</source><translation>IDX 文件以 00 00、从 08 到 0e 的类型和维数开头。</translation></message>
    <message><source>ends inside its header</source><translation>在文件头之内结束</translation></message>
    <message><source>promises more bytes than any file holds</source><translation>声明的字节数比任何文件都多</translation></message>
    <message><source>promises {} bytes of values and holds {}{}</source><translation>声明有 %1 字节的值，而实际有 %2%3</translation></message>
    <message><source>at most </source><translation>至多 %1</translation></message>
    <message><source>The file is cut off or damaged; get it anew.</source><translation>文件被截断或已损坏；请重新获取。</translation></message>
    <message><source>promises {} bytes of values and holds {}</source><translation>声明有 %1 字节的值，而实际有 %2</translation></message>
    <message><source>holds more than the {} bytes of values that its header promises</source><translation>的值多于文件头声明的 %1 字节</translation></message>
    <message><source>The header and the values do not belong together; get the file anew.</source><translation>文件头与值不相符；请重新获取该文件。</translation></message>
    <message><source>a number or a list of names</source><translation>一个数或名称的列表</translation></message>
    <message><source>{} names neither "images" nor "labels"</source><translation>%1 既没有写 "images" 也没有写 "labels"</translation></message>
    <message><source>Name the two files.</source><translation>请写出这两个文件。</translation></message>
    <message><source>{}: sample {} holds a NaN or an infinity</source><translation>%1：样本 %2 中有 NaN 或无穷</translation></message>
    <message><source>Correct the value, or remove the sample.</source><translation>请改正该值，或删除该样本。</translation></message>
    <message><source>{} holds no values: its dims are {}</source><translation>%1 没有值：它的维度是 %2</translation></message>
    <message><source>{} has the dims {}, and labels are one number a sample</source><translation>%1 的维度是 %2，而标签应是每个样本一个数</translation></message>
    <message><source>Are images and labels the wrong way round?</source><translation>图像和标签是不是写反了？</translation></message>
    <message><source>{}: the label of sample {} is {}; labels are from 0 to {}</source><translation>%1：样本 %2 的标签是 %3；标签应在 0 到 %4 之间</translation></message>
    <message><source>Raise "classes" of the source, or correct the label.</source><translation>请增大数据源的 "classes"，或改正标签。</translation></message>
    <message><source>Correct the label.</source><translation>请改正标签。</translation></message>
    <message><source>Name the file.</source><translation>请写出文件名。</translation></message>
    <message><source>{} holds {} images and {} holds {} labels</source><translation>%1 有 %2 幅图像，而 %3 有 %4 个标签</translation></message>
    <message><source>Use the labels that belong to these images.</source><translation>请使用属于这些图像的标签。</translation></message>
    <message><source>A picture cannot become {} {}</source><translation>图片不能变成 %1 %2</translation></message>
    <message><source>is neither PNG nor JPEG</source><translation>既不是 PNG 也不是 JPEG</translation></message>
    <message><source>Remove it, or convert it.</source><translation>请删除它，或转换它。</translation></message>
    <message><source>Remove it, or get it anew.</source><translation>请删除它，或重新获取。</translation></message>
    <message><source>promises {} x {} pixels, more than 100 million</source><translation>声明有 %1 x %2 像素，超过一亿</translation></message>
    <message><source>Make it smaller, or remove it.</source><translation>请缩小它，或删除它。</translation></message>
    <message><source>is larger than 1 GiB</source><translation>大于 1 GiB</translation></message>
    <message><source>{} has to be "rgb" or "gray" and is "{}"</source><translation>%1 必须是 "rgb" 或 "gray"，而它是 "%2"</translation></message>
    <message><source>Cannot read {}: it is a file, and an image_folder needs a folder</source><translation>无法读取 %1：它是文件，而 image_folder 需要文件夹</translation></message>
    <message><source>{} holds no PNG or JPEG image</source><translation>%1 中没有 PNG 或 JPEG 图像</translation></message>
    <message><source>Each subfolder is a class; add images to it, or remove it.</source><translation>每个子文件夹是一个类别；请放入图像，或删除它。</translation></message>
    <message><source>{} has no subfolders</source><translation>%1 没有子文件夹</translation></message>
    <message><source>Put the images of each class into a subfolder named after it.</source><translation>请把每个类别的图像放进以类别命名的子文件夹。</translation></message>
    <message><source>{}: {} entries that are not PNG or JPEG were left out</source><translation>%1：略过了 %2 个不是 PNG 或 JPEG 的条目</translation></message>
    <message><source>{} has {} x {} pixels and {} has {} x {}</source><translation>%1 有 %2 x %3 像素，而 %4 有 %5 x %6</translation></message>
    <message><source>Set "resize": [height, width] of the source.</source><translation>请设置数据源的 "resize": [height, width]。</translation></message>
    <message><source>{} has {} x {} pixels now and had {} x {} when it was opened</source><translation>%1 现在有 %2 x %3 像素，打开时是 %4 x %5</translation></message>
    <message><source>Leave the images alone while a run uses them.</source><translation>运行使用图像时请不要改动它们。</translation></message>
    <message><source>This model takes a label as input, which a picture does not give</source><translation>该模型以标签作为输入，而图片不提供标签</translation></message>
    <message><source>Cannot start {} loader threads: {}</source><translation>无法启动 %1 个加载线程：%2</translation></message>
    <message><source>Lower data.loader.workers.</source><translation>请减小 data.loader.workers。</translation></message>
    <message><source>There is not enough memory for the next batch</source><translation>内存不足以容纳下一个批次</translation></message>
    <message><source>Making a batch failed: {}</source><translation>生成批次失败：%1</translation></message>
    <message><source>Stopped while waiting for a batch</source><translation>在等待批次时停止</translation></message>
    <message><source>{} cannot be {}</source><translation>%1 不能是 %2</translation></message>
    <message><source>The {} split has {} samples, fewer than a batch of {}, and drop_last drops them all</source><translation>%1 集有 %2 个样本，少于 %3 个样本的批次，而 drop_last 会全部丢弃</translation></message>
    <message><source>Lower batch_size, or set drop_last to false.</source><translation>请减小 batch_size，或把 drop_last 设为 false。</translation></message>
    <message><source>The value {} cannot be kept as {}</source><translation>值 %1 无法保存为 %2</translation></message>
    <message><source>Use dtype float32, or correct the data.</source><translation>请使用 dtype float32，或改正数据。</translation></message>
    <message><source>{} cannot become {}</source><translation>%1 不能变成 %2</translation></message>
    <message><source>"squeeze" needs a single number a sample and there are {}</source><translation>"squeeze" 需要每个样本一个数，而有 %1 个</translation></message>
    <message><source>A table with a header, one sample a row.</source><translation>带表头的表格，每个样本一行。</translation></message>
    <message><source>Images and labels in the IDX format of MNIST, plain or gzip.</source><translation>MNIST 的 IDX 格式的图像和标签，未压缩或 gzip。</translation></message>
    <message><source>PNG and JPEG images, one folder a class.</source><translation>PNG 和 JPEG 图像，每个类别一个文件夹。</translation></message>
    <message><source>Samples drawn from a seed: clusters, images, noise or sequences.</source><translation>由种子生成的样本：簇、图像、噪声或序列。</translation></message>
    <message><source>Cannot read {}: it is not a regular file</source><translation>无法读取 %1：它不是普通文件</translation></message>
    <message><source>Choose a file on a disk.</source><translation>请选择磁盘上的文件。</translation></message>
    <message><source>Stopped while reading data</source><translation>在读取数据时停止</translation></message>
    <message><source>Multiplies by `by`.</source><translation>乘以 `by`。</translation></message>
    <message><source>(x - mean) / std a channel or column; given, or "statistics": "train".</source><translation>按通道或列计算 (x - mean) / std；数值由您给出，或取 "statistics": "train"。</translation></message>
    <message><source>Real numbers of the same value.</source><translation>数值相同的实数。</translation></message>
    <message><source>A class index as a vector of `classes` zeros and a one.</source><translation>把类别编号变成 `classes` 个零和一个一的向量。</translation></message>
    <message><source>All values in one row.</source><translation>所有值排成一行。</translation></message>
    <message><source>The same values with the dims `shape`; one of them may be -1.</source><translation>相同的值，维度为 `shape`；其中一个可以是 -1。</translation></message>
    <message><source>An image to `size` [height, width], bilinear with antialiasing.</source><translation>把图像缩放到 `size` [height, width]，双线性并抗锯齿。</translation></message>
    <message><source>Shifts an image by up to `padding` pixels; zeros come in.</source><translation>把图像平移至多 `padding` 个像素；空出处补零。</translation></message>
    <message><source>Mirrors an image with probability `p`.</source><translation>以概率 `p` 左右翻转图像。</translation></message>
    <message><source>Turns an image by up to `degrees` to either side; zeros come in.</source><translation>把图像向两侧旋转至多 `degrees` 度；空出处补零。</translation></message>
    <message><source>Adds normal noise with deviation `std` to real numbers.</source><translation>给实数加上标准差为 `std` 的正态噪声。</translation></message>
    <message><source>A transform has an empty type</source><translation>变换的类型为空</translation></message>
    <message><source>There is no transform "{}"</source><translation>没有变换 "%1"</translation></message>
    <message><source>{} has to be from {} to {} and is {}</source><translation>%1 必须在 %2 到 %3 之间，而它是 %4</translation></message>
    <message><source>[height, width], each from 1 to 16384,</source><translation>[height, width]，各为 1 到 16384，</translation></message>
    <message><source>A class index ({}) cannot be scaled</source><translation>类别编号（%1）不能缩放</translation></message>
    <message><source>Put one_hot before it, or remove it.</source><translation>请在它之前放 one_hot，或删除它。</translation></message>
    <message><source>normalize has {} values and gets {} channels ({})</source><translation>normalize 有 %1 个值，而得到 %2 个通道（%3）</translation></message>
    <message><source>Give one value a channel, or a single one for all.</source><translation>请每个通道给一个值，或给一个共用的值。</translation></message>
    <message><source>a number or a list of numbers</source><translation>一个数或数的列表</translation></message>
    <message><source>normalize knows the statistics "train", not "{}"</source><translation>normalize 知道统计 "train"，不知道 "%1"</translation></message>
    <message><source>Other splits would leak into training.</source><translation>其他划分会泄漏到训练中。</translation></message>
    <message><source>normalize has both "statistics" and its own "mean" or "std"</source><translation>normalize 同时有 "statistics" 和自己的 "mean" 或 "std"</translation></message>
    <message><source>Remove one of them.</source><translation>请删除其中之一。</translation></message>
    <message><source>normalize needs "mean" and "std", or "statistics": "train"</source><translation>normalize 需要 "mean" 和 "std"，或 "statistics": "train"</translation></message>
    <message><source>normalize has a "std" that is not above zero</source><translation>normalize 的 "std" 不大于零</translation></message>
    <message><source>{} needs an image [C, H, W] and gets {} {}</source><translation>%1 需要图像 [C, H, W]，而得到 %2 %3</translation></message>
    <message><source>{} needs real numbers and gets {}</source><translation>%1 需要实数，而得到 %2</translation></message>
    <message><source>Put to_float, scale or normalize before it.</source><translation>请在它之前放 to_float、scale 或 normalize。</translation></message>
    <message><source>one_hot has {} classes and got the class index {}</source><translation>one_hot 有 %1 个类别，而得到类别编号 %2</translation></message>
    <message><source>Raise "classes", or correct the data.</source><translation>请增大 "classes"，或改正数据。</translation></message>
    <message><source>one_hot needs a class index and gets {} {}</source><translation>one_hot 需要类别编号，而得到 %1 %2</translation></message>
    <message><source>Use it on a label or a text column.</source><translation>请把它用在标签或文本列上。</translation></message>
    <message><source>one_hot does not know how many classes there are</source><translation>one_hot 不知道有多少个类别</translation></message>
    <message><source>Give it "classes".</source><translation>请给出 "classes"。</translation></message>
    <message><source>one_hot has {} classes and the data has {}</source><translation>one_hot 有 %1 个类别，而数据有 %2 个</translation></message>
    <message><source>Raise "classes", or leave it out.</source><translation>请增大 "classes"，或去掉它。</translation></message>
    <message><source>{} has {} values and cannot become {}</source><translation>%1 有 %2 个值，不能变成 %3</translation></message>
    <message><source>The product of the dims has to stay the same.</source><translation>各维的乘积必须保持不变。</translation></message>
    <message><source>resize needs an image [C, H, W] of uint8 or float32 and gets {} {}</source><translation>resize 需要 uint8 或 float32 的图像 [C, H, W]，而得到 %1 %2</translation></message>
    <message><source>a list of up to 8 dims above zero, one of which may be -1,</source><translation>至多 8 个大于零的维的列表，其中一个可以是 -1，</translation></message>
    <message><source>Each worker up to the {} that were tried made it faster by 5 % or more.</source><translation>在试过的 %1 个工作线程之内，每增加一个都快了 5 % 以上。</translation></message>
    <message><source>memory copy</source><translation>内存复制</translation></message>
    <message><source>Batches are made at {:.1f} GB/s and this machine copies memory at {:.1f} GB/s.</source><translation>批次以 %1 GB/s 生成，而本机复制内存的速度是 %2 GB/s。</translation></message>
    <message><source>{:.1f} of {} cores are busy with making batches; more workers bring less than 5 %.</source><translation>%2 个核中有 %1 个在忙于生成批次；更多工作线程带来的提升不到 5 %。</translation></message>
    <message><source>Only {:.1f} of {} cores are busy: the workers wait for the files.</source><translation>%2 个核中只有 %1 个在忙：工作线程在等待文件。</translation></message>
    <message><source>The {} split is empty</source><translation>%1 集是空的</translation></message>
    <message><source>The plan names no loss, so there is nothing to train towards.</source><translation>训练计划没有写损失，所以没有训练的目标。</translation></message>
    <message><source>Add one, as {"type": "CrossEntropyLoss", "output": …, "target": …}.</source><translation>请添加一个，例如 {"type": "CrossEntropyLoss", "output": …, "target": …}。</translation></message>
    <message><source>Both stop.epochs and stop.steps are 0, so the run would never end.</source><translation>stop.epochs 和 stop.steps 都是 0，运行将永不结束。</translation></message>
    <message><source>Set stop.epochs.</source><translation>请设置 stop.epochs。</translation></message>
    <message><source>Nesterov needs a momentum above 0 and no dampening; they are {} and {}.</source><translation>Nesterov 需要大于 0 的 momentum 且没有 dampening；它们是 %1 和 %2。</translation></message>
    <message><source>Set momentum to 0.9 and dampening to 0, or switch nesterov off.</source><translation>请把 momentum 设为 0.9、dampening 设为 0，或关闭 nesterov。</translation></message>
    <message><source>Rprop's first eta has to lie between 0 and 1 and its second above 1; they are {} and {}.</source><translation>Rprop 的第一个 eta 须在 0 和 1 之间，第二个须大于 1；它们是 %1 和 %2。</translation></message>
    <message><source>Usual are 0.5 and 1.2.</source><translation>通常是 0.5 和 1.2。</translation></message>
    <message><source>Rprop's smallest step size {} is above its largest, {}.</source><translation>Rprop 的最小步长 %1 大于最大步长 %2。</translation></message>
    <message><source>Usual are 1e-6 and 50.</source><translation>通常是 1e-6 和 50。</translation></message>
    <message><source>LBFGS takes all parameters as one group, so "{}" cannot have a learning rate or a weight decay of its own.</source><translation>LBFGS 把所有参数作为一组，因此 "%1" 不能有自己的学习率或权重衰减。</translation></message>
    <message><source>Remove the group, or choose AdamW.</source><translation>请删除该组，或选择 AdamW。</translation></message>
    <message><source>LBFGS takes all parameters as one group, so layer_decay {} cannot give each layer a rate of its own.</source><translation>LBFGS 把所有参数作为一组，因此 layer_decay %1 不能让每一层有自己的学习率。</translation></message>
    <message><source>Remove layer_decay, or choose AdamW.</source><translation>请删除 layer_decay，或选择 AdamW。</translation></message>
    <message><source>LBFGS learns the curvature from the gradient, so gradient_centralization may not change it.</source><translation>LBFGS 从梯度得知曲率，因此 gradient_centralization 不能改变它。</translation></message>
    <message><source>Switch gradient_centralization off, or choose another optimizer.</source><translation>请关闭 gradient_centralization，或选择其他优化器。</translation></message>
    <message><source>There is no fused kernel for {}.</source><translation>%1 没有融合内核。</translation></message>
    <message><source>Set implementation to auto.</source><translation>请把 implementation 设为 auto。</translation></message>
    <message><source>LBFGS computes the loss several times in a step, which the scaler of fp16 does not allow.</source><translation>LBFGS 在一步中多次计算损失，而 fp16 的缩放器不允许这样做。</translation></message>
    <message><source>Set precision to fp32 or bf16, or choose another optimizer.</source><translation>请把 precision 设为 fp32 或 bf16，或选择其他优化器。</translation></message>
    <message><source>LBFGS learns the curvature from the gradient, so no noise may be added to it.</source><translation>LBFGS 从梯度得知曲率，因此不能给它加噪声。</translation></message>
    <message><source>Set gradient_noise.eta to 0, or choose another optimizer.</source><translation>请把 gradient_noise.eta 设为 0，或选择其他优化器。</translation></message>
    <message><source>LBFGS takes all parameters from its first step on, so "{}" cannot begin to train after {}.</source><translation>LBFGS 从第一步起就使用所有参数，因此 "%1" 不能在 %2之后才开始训练。</translation></message>
    <message><source>Set epochs to 0, which freezes them for the whole run, or choose another optimizer.</source><translation>请把 epochs 设为 0，使它们在整个运行中冻结，或选择其他优化器。</translation></message>
    <message><source>"{}" is frozen for {} and the run has {}, so it never trains.</source><translation>"%1" 冻结 %2，而运行共有 %3 轮，因此它从不训练。</translation></message>
    <message><source>Lower epochs, or set it to 0, which says the same.</source><translation>请减小 epochs，或设为 0，含义相同。</translation></message>
    <message><source>No parameter of the model has a name that "{}" matches, so nothing would be frozen.</source><translation>模型中没有名称与 "%1" 匹配的参数，因此什么也不会冻结。</translation></message>
    <message><source>Write full names, with * for anything: backbone.*</source><translation>请写完整名称，用 * 代表任意内容：backbone.*</translation></message>
    <message><source>Every parameter is frozen for the whole run, so nothing could be trained.</source><translation>所有参数在整个运行中都被冻结，因此无可训练。</translation></message>
    <message><source>Let the patterns of training.freeze and of the frozen training.optimizer.groups leave out what trains, as the last layer.</source><translation>请让 training.freeze 和冻结的 training.optimizer.groups 的模式不包括要训练的部分，例如最后一层。</translation></message>
    <message><source>Every parameter is frozen or in a block that runs without gradients, so nothing could be trained.</source><translation>所有参数都被冻结，或位于不带梯度运行的块中，因此无可训练。</translation></message>
    <message><source>Let the patterns of training.no_grad leave out what trains, as the last layer.</source><translation>请让 training.no_grad 的模式不包括要训练的部分，例如最后一层。</translation></message>
    <message><source>No loss reaches a parameter that is trained, so nothing can be learned: {} runs without gradients. Let the patterns of training.no_grad leave out what trains, as the last layer.</source><translation>没有损失能到达任何要训练的参数，因此什么也学不到：%1 不带梯度运行。请让 training.no_grad 的模式不包括要训练的部分，例如最后一层。</translation></message>
    <message><source>The block {} cannot be checkpointed, as it runs again in the backward pass: it {}.</source><translation>块 %1 不能使用激活检查点，因为它会在反向传播中再运行一次：它%2。</translation></message>
    <message><source>holds {} ({}), whose running statistics would count every batch twice</source><translation>含有 %1（%2），其运行统计量会把每个批次计入两次</translation></message>
    <message><source>holds {} ({}), which shortens its own weights as it runs</source><translation>含有 %1（%2），它在运行时会缩短自己的权重</translation></message>
    <message><source>Let the pattern leave that block out, or write "mode": "eval" for the normalisation so that its statistics stay as they are.</source><translation>请让模式不包括该块，或为该归一化写上 "mode": "eval"，使其统计量保持不变。</translation></message>
    <message><source>Trying to run a checkpointed block again that a backward pass has gone through already</source><translation>试图再次运行反向传播已经经过的激活检查点块</translation></message>
    <message><source>Activation checkpointing of {} saves nothing: a step's peak of {:.1f} MB was predicted with it and {:.1f} MB without. Leave these blocks out of training.activation_checkpointing.blocks.</source><translation>对 %1 做激活检查点没有节省任何内存：预测一步的峰值使用它时为 %2 MB，不使用时为 %3 MB。请从 training.activation_checkpointing.blocks 中去掉这些块。</translation></message>
    <message><source>Activation checkpointing of {} keeps {:.1f} MB less than {:.1f} MB without it: a step's peak of {:.1f} MB was predicted and {:.1f} MB measured.</source><translation>对 %1使用激活检查点，比不用时的 %3 MB 少保留 %2 MB：预测一步的峰值为 %4 MB，实测为 %5 MB。</translation></message>
    <message><source>The tensors of a step are predicted to take {:.1f} MB with {} checkpointed, and {:.1f} MB without: training.activation_checkpointing.budget_mb of {} cannot be kept. Lower data.loader.batch_size, or raise the budget.</source><translation>预测一步的张量在 %2使用激活检查点时占用 %1 MB，不用时占用 %3 MB：无法满足 training.activation_checkpointing.budget_mb 的 %4。请减小 data.loader.batch_size，或提高预算。</translation></message>
    <message><source>The blocks to checkpoint could not be chosen</source><translation>无法选择要使用激活检查点的块</translation></message>
    <message><source>The exported training keeps all activations: the numbers are the same, and it takes more memory than the plan's activation checkpointing.</source><translation>导出的训练保留所有激活：数值相同，但比计划的激活检查点占用更多内存。</translation></message>
    <message><source>The exported program trains every block with gradients, and the plan switches them off in some</source><translation>导出的程序对每个块都带梯度训练，而计划在某些块中关闭了梯度</translation></message>
    <message><source>Empty training.no_grad, or export as torchscript or state-dict.</source><translation>请清空 training.no_grad，或导出为 torchscript 或 state-dict。</translation></message>
    <message><source>Every parameter is frozen for the first {}, so nothing could be trained in them.</source><translation>所有参数在最初 %1都被冻结，因此其间无可训练。</translation></message>
    <message><source>Let the patterns leave out what trains from the beginning, as the last layer.</source><translation>请让模式不包括从一开始就训练的部分，例如最后一层。</translation></message>
    <message><source>The exported program trains with one optimizer, and the training has several phases</source><translation>导出的程序只用一个优化器训练，而该训练有多个阶段</translation></message>
    <message><source>Export as torchscript or state-dict, which hold the model and its weights.</source><translation>请导出为 torchscript 或 state-dict，它们包含模型及其权重。</translation></message>
    <message><source>Normal numbers with deviation `std` in place of the values.</source><translation>用标准差为 `std` 的正态随机数代替原来的值。</translation></message>
    <message><source>Phase {} has no name, so no loss can name it.</source><translation>阶段 %1 没有名称，因此没有损失能指定它。</translation></message>
    <message><source>Give it a short one, as "generator", and write the same into its loss as "phase".</source><translation>请给它一个简短的名称，例如 "generator"，并在它的损失中把同一名称写为 "phase"。</translation></message>
    <message><source>The name of phase {} is {} bytes long, and {} are the most: it becomes part of the series' names.</source><translation>阶段 %1 的名称长 %2 字节，最多为 %3 字节：它会成为曲线名称的一部分。</translation></message>
    <message><source>The name of phase {} holds a line break or another control character.</source><translation>阶段 %1 的名称含有换行或其他控制字符。</translation></message>
    <message><source>Where it is left out the phase takes that of training.optimizer.</source><translation>省略时该阶段采用 training.optimizer 的值。</translation></message>
    <message><source>Write a list of objects in brackets, each in braces: [{{"{}": {}, …}}].</source><translation>请写方括号中的对象列表，每个对象用花括号：[{"%1": %2, …}]。</translation></message>
    <message><source>Write it in one line.</source><translation>请写在一行内。</translation></message>
    <message><source>Two phases have the name "{}", so a loss that names it could mean either.</source><translation>有两个阶段名为 "%1"，因此指定它的损失可能指其中任一个。</translation></message>
    <message><source>Give one of them another name.</source><translation>请给其中一个换个名称。</translation></message>
    <message><source>A metric has the name "loss.{}", which is that of the phase's loss.</source><translation>有一个指标名为 "loss.%1"，这是该阶段损失的名称。</translation></message>
    <message><source>No loss names the phase "{}", so there is nothing that it could train towards.</source><translation>没有损失指定阶段 "%1"，因此它没有可训练的目标。</translation></message>
    <message><source>Write "phase": "{}" into one of training.losses.</source><translation>请在 training.losses 的某一项中写 "phase": "%1"。</translation></message>
    <message><source>LBFGS computes the loss several times in a step, which the phase "{}" of a step cannot.</source><translation>LBFGS 在一步中多次计算损失，而一步中的阶段 "%1" 做不到。</translation></message>
    <message><source>Choose Adam or another optimizer for the phase.</source><translation>请为该阶段选择 Adam 或其他优化器。</translation></message>
    <message><source>The learning rate of the phase "{}" is 0, so it changes nothing.</source><translation>阶段 "%1" 的学习率为 0，因此它什么也不改变。</translation></message>
    <message><source>Set its learning rate above 0.</source><translation>请把它的学习率设为大于 0。</translation></message>
    <message><source>A loss names the phase "{}", and training.phases has none.</source><translation>有一个损失指定了阶段 "%1"，而 training.phases 中没有阶段。</translation></message>
    <message><source>Take "phase" out of the loss, or add the phase to training.phases.</source><translation>请从损失中去掉 "phase"，或把该阶段加入 training.phases。</translation></message>
    <message><source>The loss {} does not say which phase minimises it.</source><translation>损失 %1 没有说明由哪个阶段使它最小。</translation></message>
    <message><source>A loss names the phase "{}", which training.phases does not have.</source><translation>有一个损失指定了阶段 "%1"，而 training.phases 中没有它。</translation></message>
    <message><source>Write "phase": "{}" into it, or another of training.phases.</source><translation>请在其中写 "phase": "%1"，或 training.phases 中的另一个。</translation></message>
    <message><source>No phase is taken in each step, so there are steps in which nothing trains.</source><translation>没有每一步都执行的阶段，因此有些步什么也不训练。</translation></message>
    <message><source>Set every to 1 in one of them.</source><translation>请把其中一个的 every 设为 1。</translation></message>
    <message><source>A step of several phases is taken on one batch, and accumulation asks for more.</source><translation>有多个阶段的一步只用一个批次，而 accumulation 要求更多。</translation></message>
    <message><source>Set accumulation to 1 and raise data.loader.batch_size.</source><translation>请把 accumulation 设为 1，并增大 data.loader.batch_size。</translation></message>
    <message><source>The mistake {} is made in a step of one optimizer alone, and training.phases has several.</source><translation>错误 %1 只能在单个优化器的一步中犯，而 training.phases 有多个。</translation></message>
    <message><source>Switch it off.</source><translation>请关闭它。</translation></message>
    <message><source>a pattern of names or a list of them</source><translation>名称模式或其列表</translation></message>
    <message><source>{} names no parameter that the phase trains</source><translation>%1 没有指定该阶段训练的参数</translation></message>
    <message><source>Write full names, with * for anything: discriminator.*</source><translation>请写完整名称，用 * 代表任意内容：discriminator.*</translation></message>
    <message><source>every has to be at least 1 and is {}</source><translation>every 必须至少为 1，而它是 %1</translation></message>
    <message><source>Write 1 for each step.</source><translation>每一步都执行请写 1。</translation></message>
    <message><source>No phase trains {}, so {} as drawn. Name them in a phase, or freeze them in training.freeze if that is meant.</source><translation>没有阶段训练 %1，因此%2抽取时的值。请在某个阶段中指定它们；若是有意如此，请在 training.freeze 中冻结它们。</translation></message>
    <message><source>it stays</source><translation>它保持</translation></message>
    <message><source>they stay</source><translation>它们保持</translation></message>
    <message><source>The phase "{}" is to train "{}", and no parameter of the model has such a name.</source><translation>阶段 "%1" 要训练 "%2"，而模型中没有这样名称的参数。</translation></message>
    <message><source>Write full names, with * for anything: {}</source><translation>请写完整名称，用 * 代表任意内容：%1</translation></message>
    <message><source>Give the model a block with weights.</source><translation>请给模型一个有权重的模块。</translation></message>
    <message><source>{} is empty, so it matches no parameter</source><translation>%1 为空，因此不匹配任何参数</translation></message>
    <message><source>The phases "{}" and "{}" both train {}.</source><translation>阶段 "%1" 和 "%2" 都训练 %3。</translation></message>
    <message><source>Let each parameter be trained by one phase.</source><translation>请让每个参数只由一个阶段训练。</translation></message>
    <message><source>Every parameter that the phase "{}" trains is frozen for the whole run.</source><translation>阶段 "%1" 训练的所有参数在整个运行中都被冻结。</translation></message>
    <message><source>Every parameter that the phase "{}" trains is frozen for the first {}.</source><translation>阶段 "%1" 训练的所有参数在最初 %2都被冻结。</translation></message>
    <message><source>Let what freezes leave out something that the phase trains, or remove the phase.</source><translation>请让冻结的设置留下该阶段训练的一部分，或删除该阶段。</translation></message>
    <message><source>The optimizers start afresh: training.phases is not what it was.</source><translation>优化器重新开始：training.phases 与原来不同。</translation></message>
    <message><source>A step of several phases is taken on one batch, and this is its second.</source><translation>有多个阶段的一步只用一个批次，而这是它的第二个。</translation></message>
    <message><source>The loss of the phase "{}" does not depend on any parameter that it trains: gradients are stopped on the way, or it names other blocks.</source><translation>阶段 "%1" 的损失不依赖它训练的任何参数：梯度在途中被截断，或它指定了别的块。</translation></message>
    <message><source>Remove what stops them, as a Detach block or a pattern of training.no_grad, or name the parameters that the phase's losses depend on.</source><translation>请去掉截断梯度的块（如 Detach）或 training.no_grad 的模式，或指定该阶段的损失所依赖的参数。</translation></message>
    <message><source>Every parameter that the phase "{}" trains is frozen or in a block that runs without gradients.</source><translation>阶段 "%1" 训练的所有参数都被冻结，或所在的模块不带梯度运行。</translation></message>
    <message><source>Let the patterns of training.no_grad leave out something that the phase trains, or remove the phase.</source><translation>请让 training.no_grad 的模式留下该阶段训练的一部分，或删除该阶段。</translation></message>
    <message><source>The losses of the phase "{}" depend on no parameter that it trains from the beginning.</source><translation>阶段 "%1" 的损失不依赖它从一开始就训练的任何参数。</translation></message>
    <message><source>Name the parameters that they depend on, or let them read an output of the blocks that the phase trains.</source><translation>请指定这些损失所依赖的参数，或让它们读取该阶段训练的模块的输出。</translation></message>
    <message><source>The losses of the phase "{}" reach no parameter that it trains: {} runs without gradients.</source><translation>阶段 "%1" 的损失到达不了它训练的任何参数：%2 不带梯度运行。</translation></message>
    <message><source>Let the patterns of training.no_grad leave out what lies between the phase's parameters and its losses.</source><translation>请让 training.no_grad 的模式不包括该阶段的参数与其损失之间的模块。</translation></message>
    <message><source>The losses of the phase "{}" reach no parameter that it trains: gradients stop at {}.</source><translation>阶段 "%1" 的损失到达不了它训练的任何参数：梯度在 %2 处中断。</translation></message>
    <message><source>Take away what stops them, or let the losses read an output that does not pass through it.</source><translation>请去掉截断梯度的模块，或让损失读取不经过它的输出。</translation></message>
    <message><source>The losses of several phases work against each other, so where their sum falls says nothing about a learning rate.</source><translation>多个阶段的损失相互对抗，因此它们的和在哪里下降并不能说明学习率。</translation></message>
    <message><source>Set the phases' rates by hand; 0.0002 with Adam and betas of 0.5 and 0.999 is usual for a GAN.</source><translation>请手动设置各阶段的学习率；GAN 通常用 Adam，betas 为 0.5 和 0.999，学习率 0.0002。</translation></message>
    <message><source>The losses of several phases work against each other, so they do not come down to nothing on a batch that is learnt.</source><translation>多个阶段的损失相互对抗，因此即使一个批次已被学会，它们也不会降到零。</translation></message>
    <message><source>Train for an epoch and look at the phases' losses.</source><translation>请训练一轮并查看各阶段的损失。</translation></message>
    <message><source>The optimizer {} has no update rule.</source><translation>优化器 %1 没有更新规则。</translation></message>
    <message><source>This optimizer takes no closure.</source><translation>该优化器不使用闭包。</translation></message>
    <message><source>This optimizer takes its steps with a closure.</source><translation>该优化器用闭包更新。</translation></message>
    <message><source>The saved optimizer state {}.{} is missing or does not fit the parameters.</source><translation>保存的优化器状态 %1.%2 缺失，或与参数不符。</translation></message>
    <message><source>{} has no effect in this run: {} has no weight decay.</source><translation>%1 在本次运行中无效：%2 没有权重衰减。</translation></message>
    <message><source>{} has no effect any more: {} takes it as the size of a parameter's first step, which has been done.</source><translation>%1 不再起作用：%2 只把它用作参数第一步的步长，而这一步已经完成。</translation></message>
    <message><source>{} takes the learning rate as the size of a parameter's first step and never looks at it again, so a rate that rises from step to step tells nothing about it.</source><translation>%1 只把学习率用作参数第一步的步长，之后不再读取，因此逐步升高的学习率对它说明不了任何问题。</translation></message>
    <message><source>Leave its learning rate as it is, or choose another optimizer.</source><translation>请保持它的学习率不变，或选择其他优化器。</translation></message>
    <message><source>The first batch of {} was learnt: the loss went from {} to {} in {}, and lower than {} it cannot be with these targets.</source><translation>第一个批次（%1）已学会：损失在 %4 内从 %2 降到 %3，而在这些目标下它不可能低于 %5。</translation></message>
    <message><source>The first batch of {} was learnt, as {} tells: the loss went from {} to {} in {}.</source><translation>从 %2 看，第一个批次（%1）已学会：损失在 %5 内从 %3 变为 %4。</translation></message>
    <message><source>Whether the first batch of {} was learnt cannot be told: the loss went from {} to {} in {}, and how low it can get is not known. Look at its curve, or add a metric such as accuracy or r2.</source><translation>无法判断第一个批次（%1）是否已学会：损失在 %4 内从 %2 变为 %3，而它最低能到多少并不知道。请查看它的曲线，或添加 accuracy 或 r2 等指标。</translation></message>
    <message><source>A batch of {} cannot be with the project's settings: {}</source><translation>在项目的设置下批次不能为 %1：%2</translation></message>
    <message><source>training.optimizer.lr cannot be {} in this run: {}</source><translation>在这次运行中 training.optimizer.lr 不能为 %1：%2</translation></message>
    <message><source>Give a rate that its schedule takes, or change the schedule in the project: the next run takes it.</source><translation>请给出调度可以接受的学习率，或在项目中更改调度：下一次运行会采用它。</translation></message>
    <message><source>{} takes the learning rate as the size of a parameter's first step and never looks at it again, so after the first step the schedule changes nothing.</source><translation>%1 只把学习率用作参数第一步的步长，之后不再读取，因此第一步之后调度不起任何作用。</translation></message>
    <message><source>Let scheduler.type be "constant" without a warm-up, or choose another optimizer.</source><translation>请把 scheduler.type 设为 "constant" 且不用预热，或选择其他优化器。</translation></message>
    <message><source>Choose another optimizer for the next run.</source><translation>请为下一次运行选择其他优化器。</translation></message>
    <message><source>no weight decay</source><translation>无权重衰减</translation></message>
    <message><source>{} counts only where {} is above {}, so it changes nothing.</source><translation>%1 只在 %2 大于 %3 时才起作用，因此什么也不改变。</translation></message>
    <message><source>{} counts only where {} is stated, so it changes nothing.</source><translation>%1 只在写明了 %2 时才起作用，因此什么也不改变。</translation></message>
    <message><source>{} counts only where {} is {}, so it changes nothing.</source><translation>%1 只在 %2 为 %3 时才起作用，因此什么也不改变。</translation></message>
    <message><source>{} counts only where {} is one of {}, so it changes nothing.</source><translation>%1 只在 %2 为 %3 之一时才起作用，因此什么也不改变。</translation></message>
    <message><source>Remove it, or change {}.</source><translation>请删除它，或更改 %1。</translation></message>
    <message><source>The p of DropPath blocks rises over {} and the run has {}, so it never gets to its value.</source><translation>DropPath 块的 p 在 %1内上升，而运行共有 %2 轮，因此它从不达到设定值。</translation></message>
    <message><source>The run is to end once {} is {} or more, and it is {} at most.</source><translation>运行应在 %1 达到 %2 或更大时结束，而它最多为 %3。</translation></message>
    <message><source>The run is to end once {} is {} or less, and it is {} at least.</source><translation>运行应在 %1 降到 %2 或更小时结束，而它至少为 %3。</translation></message>
    <message><source>Set training.stop.target.value to what can be reached; an accuracy of 95 % is 0.95.</source><translation>请将 training.stop.target.value 设为可以达到的值；95 % 的准确率是 0.95。</translation></message>
    <message><source>{} is never below {}, so the run ends with its first validation.</source><translation>%1 从不低于 %2，因此运行在第一次验证时就结束。</translation></message>
    <message><source>{} is never above {}, so the run ends with its first validation.</source><translation>%1 从不高于 %2，因此运行在第一次验证时就结束。</translation></message>
    <message><source>Set training.stop.target.value to what is to be reached.</source><translation>请将 training.stop.target.value 设为要达到的值。</translation></message>
    <message><source>Only a change of more than {} counts as an improvement, and {} goes from {} to {}, so none ever does.</source><translation>只有大于 %1 的变化才算改善，而 %2 的范围是 %3 到 %4，因此从不会有改善。</translation></message>
    <message><source>Lower early_stopping.min_delta, to 0.001 for instance.</source><translation>请减小 early_stopping.min_delta，例如设为 0.001。</translation></message>
    <message><source>Early stopping waits for {} without an improvement and the run makes {}, so it never ends the run.</source><translation>提前停止要等待 %1 没有改善，而运行共有 %2 次，因此它从不结束运行。</translation></message>
    <message><source>Lower early_stopping.patience, or let the run be longer.</source><translation>请减小 early_stopping.patience，或延长运行。</translation></message>
    <message><source>reduce_on_plateau lets {} pass without an improvement before it reduces, and the run makes {}, so the learning rate stays as it is.</source><translation>reduce_on_plateau 在降低学习率之前容许 %1 没有改善，而运行共有 %2 次，因此学习率保持不变。</translation></message>
    <message><source>Lower scheduler.patience, or choose another schedule.</source><translation>请减小 scheduler.patience，或选择其他调度。</translation></message>
    <message><source>The run is validated every {} and has {}, so it is validated at its end alone.</source><translation>运行每 %1验证一次，而运行共有 %2，因此只在结束时验证。</translation></message>
    <message><source>Lower validation.every.</source><translation>请减小 validation.every。</translation></message>
    <message><source>The phase {} is taken every {} and the run has {}, so it is taken once.</source><translation>阶段 %1 每 %2执行一次，而运行共有 %3，因此只执行一次。</translation></message>
    <message><source>Lower every.</source><translation>请减小 every。</translation></message>
    <message><source>Nothing has a weight decay, so decay_norms_and_biases changes nothing.</source><translation>没有任何参数有权重衰减，因此 decay_norms_and_biases 不起作用。</translation></message>
    <message><source>Set training.optimizer.weight_decay above 0, or remove decay_norms_and_biases.</source><translation>请将 training.optimizer.weight_decay 设为大于 0，或删除 decay_norms_and_biases。</translation></message>
    <message><source>Every parameter that "{}" matches is frozen for the whole run, so the group's learning rate and weight decay change nothing.</source><translation>与 "%1" 匹配的每个参数在整个运行中都被冻结，因此该组的学习率和权重衰减不起作用。</translation></message>
    <message><source>Remove the group, or let the parameters train: training.freeze, or the block's frozen.</source><translation>请删除该组，或让这些参数参与训练：training.freeze，或块的 frozen。</translation></message>
    <message><source>layer_decay {} lowers the learning rate from each block of the model to the one before it, and the parameters that it is about are all in one block, so it changes nothing.</source><translation>layer_decay %1 从模型的每个块到前一个块降低学习率，而它所涉及的参数都在一个块中，因此不起作用。</translation></message>
    <message><source>Remove layer_decay, or build the model of several blocks at the top.</source><translation>请删除 layer_decay，或在顶层用多个块构建模型。</translation></message>
    <message><source>Every DropPath block has the p 0, so stochastic_depth.epochs changes nothing. Remove it, or give the blocks a p above 0.</source><translation>每个 DropPath 块的 p 都是 0，因此 stochastic_depth.epochs 不起作用。请删除它，或给这些块设置大于 0 的 p。</translation></message>
    <message><source>A checkpoint of this model takes at least {} MB, and all of the run's may take {} MB: only the newest and the best stay, and the limit is not kept. Raise checkpoints.max_mb.</source><translation>此模型的一个检查点至少占 %1 MB，而运行的所有检查点最多可占 %2 MB：只保留最新的和最好的，且超出限制。请增大 checkpoints.max_mb。</translation></message>
    <message><source>The device is {}, and this machine has no NVIDIA driver, so the project cannot be trained here. Set training.device to "auto" or "cpu", or train it on a machine with CUDA.</source><translation>设备是 %1，而本机没有 NVIDIA 驱动，因此无法在这里训练此项目。请将 training.device 设为 "auto" 或 "cpu"，或在有 CUDA 的机器上训练。</translation></message>
    <message><source>Lower stochastic_depth.epochs.</source><translation>请减小 stochastic_depth.epochs。</translation></message>
    <message><source>The run is to end by {}, and nothing says at which value.</source><translation>运行应按 %1 结束，但没有写明在哪个值。</translation></message>
    <message><source>Set training.stop.target.value, or remove stop.target.</source><translation>请设置 training.stop.target.value，或删除 stop.target。</translation></message>
    <message><source>base_lr {} is above the learning rate {} of the group "{}", so that falls where it should rise.</source><translation>base_lr %1 高于组 "%3" 的学习率 %2，因此它在应当上升处下降。</translation></message>
    <message><source>Lower base_lr, or raise the group's rate.</source><translation>请减小 base_lr，或增大该组的学习率。</translation></message>
    <message><source>min_lr {} is above the learning rate {} of the group "{}".</source><translation>min_lr %1 高于组 "%3" 的学习率 %2。</translation></message>
    <message><source>{} takes every parameter up to max_lr {}, so the learning rate {} of the group "{}" changes nothing.</source><translation>%1 使每个参数升到 max_lr %2，因此组 "%4" 的学习率 %3 什么也不改变。</translation></message>
    <message><source>{} takes every parameter up to max_lr {}, so layer_decay {} changes nothing.</source><translation>%1 使每个参数升到 max_lr %2，因此 layer_decay %3 什么也不改变。</translation></message>
    <message><source>{} takes every parameter up to max_lr {}, so the phase's learning rate {} changes nothing.</source><translation>%1 使每个参数升到 max_lr %2，因此该阶段的学习率 %3 什么也不改变。</translation></message>
    <message><source>Leave max_lr out, so that the highest rate is each one's own, or remove it.</source><translation>请省略 max_lr，使最高学习率为各自的学习率，或删除该设置。</translation></message>
    <message><source>cyclic rises for {} and the run leaves it {}, so the learning rate never gets to its highest.</source><translation>cyclic 上升 %1，而运行只给它 %2，因此学习率从不达到最高值。</translation></message>
    <message><source>Lower step_size_up.</source><translation>请减小 step_size_up。</translation></message>
    <message><source>step waits {} and the run leaves it {}, so the learning rate stays as it is.</source><translation>step 等待 %1，而运行只给它 %2，因此学习率保持不变。</translation></message>
    <message><source>Lower step_size, or choose the schedule constant.</source><translation>请减小 step_size，或选择调度 constant。</translation></message>
    <message><source>The first milestone of multi_step is after {} and the run leaves it {}, so the learning rate stays as it is.</source><translation>multi_step 的第一个里程碑在 %1之后，而运行只给它 %2，因此学习率保持不变。</translation></message>
    <message><source>Lower the milestones, or choose the schedule constant.</source><translation>请减小里程碑，或选择调度 constant。</translation></message>
    <message><source>one_cycle lasts {} and the run leaves it {}, so its learning rate never comes down to the end.</source><translation>one_cycle 持续 %1，而运行只给它 %2，因此它的学习率从不降到最后。</translation></message>
    <message><source>No parameter that the optimizer trains has a name that "{}" matches, so the group would change nothing.</source><translation>优化器训练的参数中没有名称与 "%1" 匹配的，因此该组什么也不会改变。</translation></message>
    <message><source>Every parameter that "{}" matches belongs to a group before it, so the group changes nothing.</source><translation>与 "%1" 匹配的参数都属于它前面的组，因此该组什么也不改变。</translation></message>
    <message><source>Move it in front of them, or remove it.</source><translation>请把它移到那些组之前，或删除它。</translation></message>
    <message><source>The group "{}" states no learning rate, no weight decay and does not freeze, so it changes nothing.</source><translation>组 "%1" 没有写明学习率和权重衰减，也不冻结，因此什么也不改变。</translation></message>
    <message><source>Give it one of them, or remove it.</source><translation>请给它其中之一，或删除它。</translation></message>
    <message><source>The group "{}" is frozen, so its learning rate and its weight decay change nothing.</source><translation>组 "%1" 被冻结，因此它的学习率和权重衰减什么也不改变。</translation></message>
    <message><source>Remove them, or set frozen to false.</source><translation>请删除它们，或把 frozen 设为 false。</translation></message>
    <message><source>{} has no weight decay, so that of the group "{}" changes nothing.</source><translation>%1 没有权重衰减，因此组 "%2" 的权重衰减什么也不改变。</translation></message>
    <message><source>Remove it, or choose another optimizer.</source><translation>请删除它，或选择其他优化器。</translation></message>
    <message><source>The group "{}" holds norms and biases alone, and decay_norms_and_biases leaves them without weight decay, so its {} would change nothing.</source><translation>组 "%1" 只含归一化参数和偏置，而 decay_norms_and_biases 使它们没有权重衰减，因此它的 %2 什么也不会改变。</translation></message>
    <message><source>Remove the group's weight_decay, or set decay_norms_and_biases to true and give the other norms and biases a group with weight_decay 0.</source><translation>请删除该组的 weight_decay，或把 decay_norms_and_biases 设为 true，并给其余的归一化参数和偏置一个 weight_decay 为 0 的组。</translation></message>
    <message><source>The schedule's min_lr {} is above {}, where "{}" begins, so that rate would rise.</source><translation>调度的 min_lr %1 高于 "%3" 开始时的 %2，因此该学习率会上升。</translation></message>
    <message><source>Lower min_lr, or raise layer_decay or the group's rate.</source><translation>请减小 min_lr，或增大 layer_decay 或该组的学习率。</translation></message>
    <message><source>The model has no DropPath block, so stochastic_depth.epochs changes nothing. Remove it, or put DropPath blocks into the residual branches.</source><translation>模型没有 DropPath 块，因此 stochastic_depth.epochs 什么也不改变。请删除它，或在残差分支中加入 DropPath 块。</translation></message>
    <message><source>{} takes the output "{}" for logits, a yes above the logit of its threshold, and neither a loss nor the last block tells whether it holds logits or probabilities. Set the metric's input to "logits" or to "probabilities".</source><translation>%1 把输出 "%2" 当作 logits，大于其阈值的 logit 为是，而损失和最后的块都不能说明它是 logits 还是概率。请把该指标的 input 设为 "logits" 或 "probabilities"。</translation></message>
    <message><source>No sample of the training split counts for {}: each class of {} that occurs there is ignored or has the weight 0.</source><translation>训练划分中没有样本计入 %1：其中出现的 %2 的每个类别都被忽略或权重为 0。</translation></message>
    <message><source>Change ignore_index or class_weights, or choose another target.</source><translation>请更改 ignore_index 或 class_weights，或选择其他目标。</translation></message>
    <message><source>The target {} holds classes, and alpha weighs a yes against a no, so it changes nothing.</source><translation>目标 %1 是类别，而 alpha 衡量是与否的权重，因此什么也不改变。</translation></message>
    <message><source>Remove it, or set class_weights.</source><translation>请删除它，或设置 class_weights。</translation></message>
    <message><source>{} says something that {} does not have, so it changes nothing.</source><translation>%1 设置了 %2 没有的内容，因此不起作用。</translation></message>
    <message><source>Remove it, or choose the type that it was meant for.</source><translation>请删除它，或选择它所针对的类型。</translation></message>
    <message><source>Every loss has the weight 0, so nothing is learnt.</source><translation>所有损失的权重都为 0，所以什么都学不到。</translation></message>
    <message><source>Every loss of the phase "{}" has the weight 0, so it learns nothing.</source><translation>阶段“%1”的所有损失的权重都为 0，所以它什么都学不到。</translation></message>
    <message><source>stop.epochs and stop.steps are 0, and a time alone gives a run no length.</source><translation>stop.epochs 和 stop.steps 为 0，而仅凭时间无法确定运行的长度。</translation></message>
    <message><source>Set stop.epochs; whichever comes first ends the run.</source><translation>请设置 stop.epochs；先到者结束运行。</translation></message>
    <message><source>Set batch_size to 2 or more.</source><translation>请把 batch_size 设为 2 或更大。</translation></message>
    <message><source>Give one a weight above 0.</source><translation>请给其中一个大于 0 的权重。</translation></message>
    <message><source>The learning rate is 0, so nothing will change.</source><translation>学习率为 0，所以什么都不会改变。</translation></message>
    <message><source>Set training.optimizer.lr above 0.</source><translation>请把 training.optimizer.lr 设为大于 0。</translation></message>
    <message><source>{} moves the learning rate with every step, and scheduler.unit is "epoch".</source><translation>%1 在每一步都改变学习率，而 scheduler.unit 是 "epoch"。</translation></message>
    <message><source>Set scheduler.unit to "step"; lengths then count steps.</source><translation>请把 scheduler.unit 设为 "step"；长度随之按步计。</translation></message>
    <message><source>{} moves the momentum, and {} has none.</source><translation>%1 会改变动量，而 %2 没有动量。</translation></message>
    <message><source>Set cycle_momentum to false, or take an optimizer with a momentum or betas, as SGD or AdamW.</source><translation>请把 cycle_momentum 设为 false，或选用带有动量或 betas 的优化器，例如 SGD 或 AdamW。</translation></message>
    <message><source>The milestones do not ascend.</source><translation>milestones 不是升序的。</translation></message>
    <message><source>Write them from the first to the last.</source><translation>请从小到大依次写出。</translation></message>
    <message><source>multi_step has no milestones, so the learning rate stays as it is.</source><translation>multi_step 没有 milestones，所以学习率保持不变。</translation></message>
    <message><source>Name the units after which it drops.</source><translation>请写出在哪些单位之后下降。</translation></message>
    <message><source>base_lr {} is above max_lr {}, so the learning rate falls where it should rise.</source><translation>base_lr %1 大于 max_lr %2，因此学习率在应当上升处下降。</translation></message>
    <message><source>Lower base_lr or raise max_lr.</source><translation>请减小 base_lr 或增大 max_lr。</translation></message>
    <message><source>Set total to {}, or to 0 for all of it.</source><translation>请把 total 设为 %1，或设为 0 以覆盖全部。</translation></message>
    <message><source>one_cycle is over after {} and goes on for {}.</source><translation>one_cycle 在 %1之后结束，而它要进行 %2。</translation></message>
    <message><source>The cosine is over after {} and goes on for {}: it rises again, as in PyTorch.</source><translation>余弦在 %1之后结束，而它要进行 %2：与 PyTorch 一样，学习率会再次上升。</translation></message>
    <message><source>The polynomial is over after {} and goes on for {}, with a learning rate of 0.</source><translation>多项式在 %1之后结束，而它要进行 %2，其间学习率为 0。</translation></message>
    <message><source>The schedule is a {} of nothing.</source><translation>此调度（%1）中什么也没有。</translation></message>
    <message><source>Add phases, as {"type": "linear", "length": 100} and {"type": "cosine"}.</source><translation>请添加 phases，例如 {"type": "linear", "length": 100} 和 {"type": "cosine"}。</translation></message>
    <message><source>Phase {} of the sequence has no length, so the ones after it never begin.</source><translation>sequence 的第 %1 个阶段没有长度，所以它之后的阶段永远不会开始。</translation></message>
    <message><source>Give it a length; only the last one takes what is left.</source><translation>请给它一个长度；只有最后一个阶段占用剩余的部分。</translation></message>
    <message><source>Phase {} of the sequence would begin after {}, and the run is {} long.</source><translation>sequence 的第 %1 个阶段要在 %2之后开始，而运行只有 %3。</translation></message>
    <message><source>Shorten the phases before it, or let the run be longer.</source><translation>请缩短它之前的阶段，或延长运行。</translation></message>
    <message><source>{} sets the learning rate instead of multiplying it, so it cannot be chained.</source><translation>%1 直接设定学习率而不是乘以系数，因此不能放入 chained。</translation></message>
    <message><source>cosine with a min_lr</source><translation>带有 min_lr 的 cosine</translation></message>
    <message><source>Take it for the whole schedule, or let the schedules follow each other in a sequence.</source><translation>请把它用作整个调度，或用 sequence 让各调度依次进行。</translation></message>
    <message><source>Set min_lr to 0.</source><translation>请把 min_lr 设为 0。</translation></message>
    <message><source>The cosine is over after {} and would rise again from 0, so it cannot be chained.</source><translation>余弦在 %1之后结束，并会从 0 再次上升，因此不能放入 chained。</translation></message>
    <message><source>Set total to 0 for all of the run.</source><translation>请把 total 设为 0 以覆盖整个运行。</translation></message>
    <message><source>The schedules of a chain all go on for the whole run, so a length changes nothing.</source><translation>chained 的各个调度都在整个运行中进行，因此长度不起作用。</translation></message>
    <message><source>There is no warm-up, so warmup_start changes nothing.</source><translation>没有预热，因此 warmup_start 不起作用。</translation></message>
    <message><source>Set warmup, or remove warmup_start.</source><translation>请设置 warmup，或删除 warmup_start。</translation></message>
    <message><source>reduce_on_plateau waits for what validations give, but nothing is validated.</source><translation>reduce_on_plateau 依据验证的结果，但没有进行验证。</translation></message>
    <message><source>Give data.splits.validation a share and set validation.every to 1, or choose another schedule.</source><translation>请给 data.splits.validation 一个份额并把 validation.every 设为 1，或选择另一种调度。</translation></message>
    <message><source>reduce_on_plateau goes by {}, which is a table and no number.</source><translation>reduce_on_plateau 依据 %1，而它是一张表，不是数。</translation></message>
    <message><source>reduce_on_plateau goes by {}, which no validation measures.</source><translation>reduce_on_plateau 依据 %1，而验证并不测量它。</translation></message>
    <message><source>Add the metric to training.metrics, or go by val.loss.</source><translation>请把该指标加入 training.metrics，或依据 val.loss。</translation></message>
    <message><source>A factor of {} does not reduce the learning rate.</source><translation>系数 %1 不会降低学习率。</translation></message>
    <message><source>Set factor below 1; usual is 0.1.</source><translation>请把 factor 设为小于 1；通常是 0.1。</translation></message>
    <message><source>After step {} the learning rate goes from {} to {}: {} is {} and has not got better for {}.</source><translation>第 %1 步之后学习率从 %2 变为 %3：%4 为 %5，已有 %6没有变好。</translation></message>
    <message><source>The warm-up takes {} and the schedule is {} long, so it never begins.</source><translation>预热需要 %1，而调度总长为 %2，因此调度永远不会开始。</translation></message>
    <message><source>one_cycle warms up by itself: after the warm-up of {} the learning rate falls from {} to {} and rises again.</source><translation>one_cycle 自身就会预热：在 %1 的预热之后，学习率会从 %2 降到 %3，然后再次上升。</translation></message>
    <message><source>Set scheduler.warmup to 0 and let pct_start say how long the rate rises.</source><translation>请把 scheduler.warmup 设为 0，并由 pct_start 决定学习率上升多久。</translation></message>
    <message><source>A learning rate of {} is far beyond what trains with {}; usual is {} to {}.</source><translation>学习率 %1 远远超出 %2 能够训练的范围；通常为 %3 到 %4。</translation></message>
    <message><source>Lower lr; plumbline find-lr looks for a rate that suits.</source><translation>请减小 lr；plumbline find-lr 会寻找合适的学习率。</translation></message>
    <message><source>Shorten the warm-up or lengthen total.</source><translation>请缩短预热，或增大 total。</translation></message>
    <message><source>min_lr {} is above the learning rate {}.</source><translation>min_lr %1 大于学习率 %2。</translation></message>
    <message><source>Lower min_lr.</source><translation>请减小 min_lr。</translation></message>
    <message><source>min_scale {} is above init_scale {}, where the scale begins.</source><translation>min_scale %1 大于缩放的起点 init_scale %2。</translation></message>
    <message><source>Lower min_scale.</source><translation>请减小 min_scale。</translation></message>
    <message><source>The weights are averaged for the first time after {}, and the run ends after {}.</source><translation>权重在%1之后才第一次平均，而运行在 %2 之后就结束。</translation></message>
    <message><source>Lower averaging.start or averaging.every.</source><translation>请减小 averaging.start 或 averaging.every。</translation></message>
    <message><source>{} is "{}", and no block of the model has such a name.</source><translation>%1 是 "%2"，而模型中没有这样名称的块。</translation></message>
    <message><source>Write a block's name as the model has it, as "head" or "encoder.*".</source><translation>请按模型中的名称书写块名，例如 "head" 或 "encoder.*"。</translation></message>
    <message><source>{} normalises over each batch of {} by itself, not over the {} samples that a step accumulates. Raise data.loader.batch_size and lower accumulation, or normalise with GroupNorm or LayerNorm.</source><translation>%1 在每个批次（%2）内单独归一化，而不是在一步所累积的 %3 个样本上。请增大 data.loader.batch_size 并减小 accumulation，或改用 GroupNorm 或 LayerNorm。</translation></message>
    <message><source>The best checkpoint is chosen by {}, but nothing is validated.</source><translation>最佳检查点按 %1 选择，但没有进行验证。</translation></message>
    <message><source>Give data.splits.validation a share and set validation.every to 1, or choose a train series.</source><translation>请给 data.splits.validation 一个份额并把 validation.every 设为 1，或选择 train 序列。</translation></message>
    <message><source>The best checkpoint is chosen by {}, which the plan does not measure.</source><translation>最佳检查点按 %1 选择，而训练计划不测量它。</translation></message>
    <message><source>Add the metric to training.metrics, or choose by val.loss.</source><translation>请把该指标加入 training.metrics，或按 val.loss 选择。</translation></message>
    <message><source>The best checkpoint is chosen by {}, which is no val. or train. series.</source><translation>最佳检查点按 %1 选择，而它不是 val. 或 train. 序列。</translation></message>
    <message><source>Choose by val.loss, or by a metric such as val.accuracy.</source><translation>请按 val.loss 选择，或按某个指标，例如 val.accuracy。</translation></message>
    <message><source>The training split holds no sample.</source><translation>训练集没有样本。</translation></message>
    <message><source>Give data.splits.train a larger share.</source><translation>请给 data.splits.train 更大的份额。</translation></message>
    <message><source>The training split has {} samples, fewer than one batch of {}, and drop_last leaves that out.</source><translation>训练集有 %1 个样本，少于一个 %2 个样本的批次，而 drop_last 会略过它。</translation></message>
    <message><source>Lower batch_size or switch drop_last off.</source><translation>请减小 batch_size，或关闭 drop_last。</translation></message>
    <message><source>Gradients are to be accumulated over {} batches, but an epoch has {}.</source><translation>梯度要在 %1 个批次上累积，而一轮只有 %2 个。</translation></message>
    <message><source>Set accumulation to {} or less.</source><translation>请把 accumulation 设为 %1 或更小。</translation></message>
    <message><source>{} is "{}", which is no {}</source><translation>%1 是 "%2"，它不是已知的 %3</translation></message>
    <message><source>label_smoothing has to be between 0 and 1 and is {}</source><translation>label_smoothing 必须在 0 和 1 之间，而它是 %1</translation></message>
    <message><source>{} names the metric {} a second time</source><translation>%1 第二次写了指标 %2</translation></message>
    <message><source>{} has to be at least 0 and is {}</source><translation>%1 必须至少为 0，而它是 %2</translation></message>
    <message><source>{}/optimizer/betas has to be two numbers from 0 to under 1 and is {}</source><translation>%1/optimizer/betas 必须是两个从 0 到小于 1 的数，而它是 %2</translation></message>
    <message><source>{}/device is "{}", which is none of auto, cpu, cuda:0 and up</source><translation>%1/device 是 "%2"，它不是 auto、cpu、cuda:0 及以上之一</translation></message>
    <message><source>{}/stride has to be "auto" or an integer from 1 to 1000000 and is {}</source><translation>%1/stride 必须是 "auto" 或 1 到 1000000 的整数，而它是 %2</translation></message>
    <message><source>{} is not a finite number</source><translation>%1 不是有限的数</translation></message>
    <message><source>at least {}</source><translation>至少 %1</translation></message>
    <message><source>at most {}</source><translation>至多 %1</translation></message>
    <message><source>{} is "{}", which is none of {}</source><translation>%1 是 "%2"，它不是 %3 之一</translation></message>
    <message><source>The data feeds "{}", which is no input of the model. Rename it, or add an input of that name.</source><translation>数据提供 "%1"，而它不是模型的输入。请给它改名，或添加该名称的输入。</translation></message>
    <message><source>No data feeds the model's input "{}". Add it under data.inputs.</source><translation>没有数据提供给模型的输入 "%1"。请在 data.inputs 下添加。</translation></message>
    <message><source>{} reads "{}", which is no output of the model.{}</source><translation>%1 读取 "%2"，而它不是模型的输出。%3</translation></message>
    <message><source>{} compares with "{}", which is no target of the data.{}</source><translation>%1 与 "%2" 比较，而它不是数据的目标。%3</translation></message>
    <message><source>{} wants a floating-point output and "{}" is {}, which has no gradient.</source><translation>%1 需要浮点输出，而 "%2" 是 %3，它没有梯度。</translation></message>
    <message><source>There is "{}".</source><translation>有 "%1"。</translation></message>
    <message><source>"{}" is not a dotted path into project.json</source><translation>"%1" 不是 project.json 中的点分路径</translation></message>
    <message><source>Write it as training.optimizer.lr=0.01.</source><translation>请写成 training.optimizer.lr=0.01。</translation></message>
    <message><source>{} does not exist: what holds it is {}</source><translation>%1 不存在：容纳它的是%2</translation></message>
    <message><source>{}={} cannot be set: {}</source><translation>无法设置 %1=%2：%3</translation></message>
    <message><source>A project has to be an object and is {}</source><translation>项目必须是对象，而它是%1</translation></message>
    <message><source>/schema_version is missing</source><translation>缺少 /schema_version</translation></message>
    <message><source>Add "schema_version": {} if the file is written in the present form.</source><translation>如果文件是按当前格式写的，请添加 "schema_version": %1。</translation></message>
    <message><source>/schema_version has to be an integer from 1 and is {}</source><translation>/schema_version 必须是从 1 起的整数，而它是 %1</translation></message>
    <message><source>The project has schema_version {}, and this program knows up to {}</source><translation>项目的 schema_version 是 %1，而本程序支持到 %2</translation></message>
    <message><source>Open it with a newer Plumbline.</source><translation>请用更新的 Plumbline 打开。</translation></message>
    <message><source>/{} is missing</source><translation>缺少 /%1</translation></message>
    <message><source>{} holds no project.json</source><translation>%1 中没有 project.json</translation></message>
    <message><source>There is no project at {}</source><translation>%1 处没有项目</translation></message>
    <message><source>Choose a folder that holds one, or make a project: plumbline new, or New in the window.</source><translation>请选择包含项目的文件夹，或新建项目：plumbline new，或窗口中的“新建”。</translation></message>
    <message><source>The project has no folder yet</source><translation>项目还没有文件夹</translation></message>
    <message><source>Save it under a name first.</source><translation>请先把它存为一个名称。</translation></message>
    <message><source>There is no template "{}"</source><translation>没有模板 "%1"</translation></message>
    <message><source>plumbline templates lists them.</source><translation>plumbline templates 会列出它们。</translation></message>
    <message><source>The template {} has no parameter "{}"</source><translation>模板 %1 没有参数 "%2"</translation></message>
    <message><source>{} has to be {} from 1 to 1000000 and is {}</source><translation>%1 必须是 1 到 1000000 的%2，而它是 %3</translation></message>
    <message><source>a list of integers</source><translation>整数的列表</translation></message>
    <message><source>The training loss has fallen by {:.0f} % since the first epoch</source><translation>自第一轮以来训练损失下降了 %1 %</translation></message>
    <message><source>Check that targets belong to their samples and the loss to the output, then lower the learning rate.</source><translation>请检查目标是否与样本对应、损失是否用对了输出，然后降低学习率。</translation></message>
    <message><source>{}, but in epoch {} (step {}) the model gives the same class for every one of {} validation samples, as in the evaluations before. {}</source><translation>%1，但在第 %2 轮（第 %3 步）模型对全部 %4 个验证样本给出同一个类别，之前的评估也是如此。%5</translation></message>
    <message><source>{}, but in epoch {} (step {}) the accuracy over {:.0f} evaluated samples is {:.3f} (99 % interval {:.3f} to {:.3f}), no better than {} at {:.3f}. {}</source><translation>%1，但在第 %2 轮（第 %3 步），在 %4 个评估样本上的准确率是 %5（99 % 区间 %6 到 %7），不比%8的 %9 更好。%10</translation></message>
    <message><source>always saying the largest class</source><translation>总是回答最大的类别</translation></message>
    <message><source>Lower the learning rate from {:g} to {:g}</source><translation>把学习率从 %1 降到 %2</translation></message>
    <message><source>Check on the Data page that labels belong to their samples</source><translation>请在数据页检查标签是否与样本对应</translation></message>
    <message><source>{}'s weight and bias are frozen, but its running mean and variance moved in step {}: in eval mode the frozen part will not compute what it was trained to. Keep the block in eval mode.</source><translation>%1 的 weight 和 bias 已冻结，但它的滑动均值和方差在第 %2 步发生了变化：在 eval 模式下，冻结部分的计算将与训练时不同。请让该模块保持 eval 模式。</translation></message>
    <message><source>Keep {} in eval mode</source><translation>让 %1 保持 eval 模式</translation></message>
    <message><source>{} ({}) expects {} and gets {} at step {}: {}. Convert the input once, with a to_float transform in data or a cast before this block.</source><translation>%1（%2）需要 %3，而在第 %5 步得到 %4：%6。请对输入做一次转换：在数据中用 to_float 变换，或在该模块之前转换类型。</translation></message>
    <message><source>each batch is twice as large as needed and is converted or fails</source><translation>每个批次是所需的两倍大，会被转换或失败</translation></message>
    <message><source>values such as pixels or class numbers are taken as they are, unscaled</source><translation>像素或类别编号之类的值会不经缩放直接使用</translation></message>
    <message><source>Add a to_float transform to the input</source><translation>给输入添加 to_float 变换</translation></message>
    <message><source>Add to_float to the input {}</source><translation>给输入 %1 添加 to_float</translation></message>
    <message><source>Over the {} steps up to step {} the loader made training wait {:.0f} % of the step time. Give it more workers or a longer prefetch, or make the transforms cheaper; tune-loader measures what helps.</source><translation>在第 %2 步之前的 %1 步中，加载器让训练等待了 %3 % 的步时间。请给它更多工作线程或更长的预取，或简化变换；tune-loader 可测量哪样有用。</translation></message>
    <message><source>The loader has given no batch for {:.0f} s at step {}. Check that the data's disk or network share still answers, or stop the run.</source><translation>在第 %2 步，加载器已有 %1 秒没有给出批次。请检查数据所在的磁盘或网络共享是否仍有响应，或停止运行。</translation></message>
    <message><source>Check that the disk or network share of the data still answers</source><translation>检查数据所在的磁盘或网络共享是否仍有响应</translation></message>
    <message><source>Set workers to {}</source><translation>把 workers 设为 %1</translation></message>
    <message><source>Prefetch {} batches</source><translation>预取 %1 个批次</translation></message>
    <message><source>share of step time</source><translation>占步时间的份额</translation></message>
    <message><source>{} compares the output {} of shape {} with the target {} of shape {} element by element at step {}. Broadcasting makes that {}, so samples are compared with each other's targets. Give both the same shape.</source><translation>%1 在第 %6 步把形状为 %3 的输出 %2 与形状为 %5 的目标 %4 逐元素比较。广播会使其成为 %7，样本因而与其他样本的目标比较。请让两者形状相同。</translation></message>
    <message><source>Reshape the output {} to {}</source><translation>把输出 %1 变形为 %2</translation></message>
    <message><source>Refuse a loss that broadcasts</source><translation>拒绝会广播的损失</translation></message>
    <message><source>the loss is {}</source><translation>损失是 %1</translation></message>
    <message><source>{} {} of {} {} NaN or infinite</source><translation>%3 中有 %1 个值是 NaN 或无穷</translation></message>
    <message><source>At step {} (epoch {}, batch {}{}) {}, and it is the first place where that is so. {}</source><translation>在第 %1 步（第 %2 轮，批次 %3%4），%5，这是最先出现的地方。%6</translation></message>
    <message><source>, in validation</source><translation>，在验证中</translation></message>
    <message><source>Check that batch's input values, then lower the learning rate or normalise before this block.</source><translation>请检查该批次的输入值，然后降低学习率，或在该模块之前做归一化。</translation></message>
    <message><source>Everything that block computes from here on is lost: go back to a checkpoint before it and lower the learning rate.</source><translation>该模块此后的计算都已失效：请回到之前的检查点，并降低学习率。</translation></message>
    <message><source>Check that batch's values, lower the learning rate, or clip the gradient.</source><translation>请检查该批次的值，降低学习率，或裁剪梯度。</translation></message>
    <message><source>Halve the learning rate from {:g} to {:g}</source><translation>把学习率从 %1 减半到 %2</translation></message>
    <message><source>Clip the gradient to a norm of 1</source><translation>把梯度裁剪到范数 1</translation></message>
    <message><source>Train in bf16</source><translation>用 bf16 训练</translation></message>
    <message><source>{} {} not changed by a single bit over the {} applied steps up to step {}, at a learning rate of {:g}. {}</source><translation>%1 在第 %4 步之前的 %3 次更新中一个比特也没有变，学习率为 %5。%6</translation></message>
    <message><source>All {} trainable parameters</source><translation>全部 %1 个可训练参数</translation></message>
    <message><source>{} parameters of {} blocks ({})</source><translation>%2 个模块（%3）的 %1 个参数</translation></message>
    <message><source>No gradient arrives: the loss does not depend on the block, or a detach stands in between. Connect the block to an output that a loss reads, or freeze it.</source><translation>没有梯度到达它：损失不依赖它，或它在途中被截断。请把它的模块连到损失所读取的输出，或冻结它。</translation></message>
    <message><source>The gradient is exactly zero: look for a dead activation behind the block, or for gradients that are thrown away before the step.</source><translation>它的梯度恰好为零：请查找它之后失活的激活，或在更新之前被丢弃的梯度。</translation></message>
    <message><source>A gradient is there, so the optimizer was not given the parameter, or the step is smaller than the value's rounding. Hand all parameters to the optimizer, or raise the learning rate.</source><translation>它有梯度，所以要么优化器没有管理它，要么步长小于该参数的舍入误差。请把所有参数交给优化器，或提高学习率。</translation></message>
    <message><source>Keep the gradients until the step is done</source><translation>把梯度保留到更新完成</translation></message>
    <message><source>Connect the block to an output that a loss reads, or freeze it</source><translation>把该模块连到损失所读取的输出，或冻结它</translation></message>
    <message><source>Use an activation that cannot die after it, as LeakyReLU or GELU</source><translation>在它之后使用不会失活的激活，例如 LeakyReLU 或 GELU</translation></message>
    <message><source>Hand all parameters to the optimizer</source><translation>把所有参数交给优化器</translation></message>
    <message><source>At step {} the loss scale was not updated after the optimizer step, so it stays at {} whatever happens: one infinite gradient and every later step may be skipped. Call update() once after each step().</source><translation>在第 %1 步，优化器更新之后没有更新损失缩放，所以它一直停在 %2：一旦出现无穷梯度，之后的每一步都可能被跳过。请在每次 step() 之后调用一次 update()。</translation></message>
    <message><source>The last {} optimizer steps up to step {} were all skipped because gradients were infinite, at a loss scale of {}: the model is not learning. Look for what overflows, or train in bf16, which needs no loss scale.</source><translation>第 %2 步之前的最近 %1 次优化器更新因梯度无穷而全部被跳过，损失缩放为 %3：模型没有在学习。请查找溢出之处，或用不需要损失缩放的 bf16 训练。</translation></message>
    <message><source>At step {} the loss scale has fallen to {}, below {}: gradients overflow even when the loss is scaled down, so the overflow lies in the model. Look for what overflows, or train in bf16, which needs no loss scale.</source><translation>在第 %1 步，损失缩放已降到 %2，低于 %3：即使把损失缩小梯度仍然溢出，所以溢出发生在模型之中。请查找溢出之处，或用不需要损失缩放的 bf16 训练。</translation></message>
    <message><source>Let the scaler update after each step</source><translation>让缩放器在每一步之后更新</translation></message>
    <message><source>Call the scaler's update() after each step()</source><translation>在每次 step() 之后调用缩放器的 update()</translation></message>
    <message><source>Start with a loss scale of 1024</source><translation>以 1024 的损失缩放开始</translation></message>
    <message><source>Since the last validation training goes on with {} of {} blocks in eval mode ({}), first seen at step {}: dropout is off and BatchNorm's statistics stand still. Put the model back in training mode after validation.</source><translation>自上次验证以来，%2 个模块中有 %1 个在 eval 模式下继续训练（%3），首见于第 %4 步：dropout 关闭，BatchNorm 的统计停止更新。请在验证之后把模型放回训练模式。</translation></message>
    <message><source>Since the last validation training goes on with {} of {} blocks in eval mode ({}), first seen at step {}. None of them is known to compute otherwise in eval mode, as dropout and BatchNorm do, so training is the same, unless code of your own asks for the mode; it no longer is once such a block is among them. Put the model back in training mode after validation.</source><translation>自上次验证以来，%2 个模块中有 %1 个在 eval 模式下继续训练（%3），首见于第 %4 步。据所知，它们在 eval 模式下的计算都没有不同（不像 dropout 和 BatchNorm），所以只要没有自己编写的代码查询模式，训练就是一样的；一旦其中有了这样的模块就不再如此。请在验证之后把模型放回训练模式。</translation></message>
    <message><source>Return to training mode after validation</source><translation>在验证之后回到训练模式</translation></message>
    <message><source>Call train() after validation</source><translation>在验证之后调用 train()</translation></message>
    <message><source>Dropout and BatchNorm then behave as in training, so the validation numbers are not the model's. Put the model in eval mode for validation.</source><translation>Dropout 和 BatchNorm 因此表现得像在训练中，所以验证数字不是该模型的。请在验证时把模型放到 eval 模式。</translation></message>
    <message><source>During validation in epoch {} (step {}) the running statistics of {} moved: the validation data leak into the model. {}</source><translation>在第 %1 轮（第 %2 步）的验证中，%3 的滑动统计发生了变化：验证数据泄漏到模型中。%4</translation></message>
    <message><source>Validation in epoch {} (step {}) ran with {} of {} blocks in training mode, {} among them{}. {}</source><translation>第 %1 轮（第 %2 步）的验证中，%4 个模块里有 %3 个处于训练模式，其中有 %5%6。%7</translation></message>
    <message><source>, and it moved the running statistics of {}</source><translation>，并且它改变了 %1 的滑动统计</translation></message>
    <message><source>None of them is known to compute otherwise in training mode, as dropout and BatchNorm do, so the numbers are the same, unless code of your own asks for the mode; they no longer are once such a block is among them. Put the model in eval mode for validation.</source><translation>据所知，它们在训练模式下的计算都没有不同（不像 dropout 和 BatchNorm），所以只要没有自己编写的代码查询模式，数字就是一样的；一旦其中有了这样的模块就不再如此。请在验证时把模型放到 eval 模式。</translation></message>
    <message><source>Validate in eval mode</source><translation>在 eval 模式下验证</translation></message>
    <message><source>Call eval() before validation and train() after it</source><translation>在验证之前调用 eval()，之后调用 train()</translation></message>
    <message><source>{} is {} and has to lie between {} and {}</source><translation>%1 是 %2，而它必须在 %3 和 %4 之间</translation></message>
    <message><source>{} is the default.</source><translation>默认值是 %1。</translation></message>
    <message><source>The saved state of the detectors has no findings or detectors</source><translation>检测器保存的状态中没有发现或检测器</translation></message>
    <message><source>The saved state of the detectors cannot be read: {}</source><translation>无法读取检测器保存的状态：%1</translation></message>
    <message><source>There is no detector "{}"</source><translation>没有检测器 "%1"</translation></message>
    <message><source>an integer or null</source><translation>整数或 null</translation></message>
    <message><source>A finding's severity is critical, warning or info, and this one says "{}"</source><translation>发现的严重程度是 critical、warning 或 info，而这里写的是 "%1"</translation></message>
    <message><source>A finding's remedies are a list, and this is {}</source><translation>发现的补救办法必须是列表，而它是%1</translation></message>
    <message><source> and {} more</source><translation>等另外 %1 个</translation></message>
    <message><source>A chunk of the run's values is damaged</source><translation>该运行的一段数值已损坏</translation></message>
    <message><source>None of the {} runs has a validation value to be best by</source><translation>%1 次运行都没有可用来评选最佳的验证值</translation></message>
    <message><source>Name a run by its id, or use "latest".</source><translation>请用编号指定运行，或使用 "latest"。</translation></message>
    <message><source>There are no runs in {}</source><translation>%1 中没有运行</translation></message>
    <message><source>Train the project first.</source><translation>请先训练该项目。</translation></message>
    <message><source>"{}" fits {} runs, the newest of them {} and {}</source><translation>"%1" 符合 %2 次运行，其中最新的是 %3 和 %4</translation></message>
    <message><source>Give more of the id.</source><translation>请给出编号的更多部分。</translation></message>
    <message><source>There is no run "{}" in {}</source><translation>%2 中没有运行 "%1"</translation></message>
    <message><source>Look at the list of runs for its id.</source><translation>请在运行列表中查找它的编号。</translation></message>
    <message><source>There is no run in {}</source><translation>%1 中没有运行</translation></message>
    <message><source>it has another version</source><translation>它是另一个版本</translation></message>
    <message><source>Cannot read the folder {}: {}</source><translation>无法读取文件夹 %1：%2</translation></message>
    <message><source>Check the path and its permissions.</source><translation>请检查路径及其权限。</translation></message>
    <message><source>it does not say which run it is</source><translation>它没有说明属于哪次运行</translation></message>
    <message><source>its series are not numbered from 1</source><translation>它的序列不是从 1 开始编号</translation></message>
    <message><source>The run's store {} has version {} and this program knows up to {}</source><translation>运行的存储 %1 是版本 %2，而本程序支持到 %3</translation></message>
    <message><source>Open it with the newer Plumbline that wrote it.</source><translation>请用写入它的更新的 Plumbline 打开。</translation></message>
    <message><source>it is empty</source><translation>它是空的</translation></message>
    <message><source>version {} was never released</source><translation>版本 %1 从未发布</translation></message>
    <message><source>The run's store {} is damaged: {}</source><translation>运行的存储 %1 已损坏：%2</translation></message>
    <message><source>Delete the run, or put the file back from a copy; the other runs are not affected.</source><translation>请删除该运行，或从副本恢复该文件；其他运行不受影响。</translation></message>
    <message><source>Memory ran out while reading or writing a run</source><translation>读写运行时内存耗尽</translation></message>
    <message><source>The run's store {} is locked by another program</source><translation>运行的存储 %1 被另一个程序锁定</translation></message>
    <message><source>Close the program that has it open, then try again.</source><translation>请关闭打开它的程序，然后重试。</translation></message>
    <message><source>another process</source><translation>另一个进程</translation></message>
    <message><source>Run {} is being written by {}</source><translation>运行 %1 正由%2写入</translation></message>
    <message><source>Stop that run first, or wait until it has ended.</source><translation>请先停止那次运行，或等到它结束。</translation></message>
    <message><source>The tool that fetches LibTorch is not beside the program</source><translation>获取 LibTorch 的工具不在程序旁边</translation></message>
    <message><source>Install the package again, or set PLUMBLINE_LIBTORCH to a folder with LibTorch's include/ and lib/.</source><translation>请重新安装软件包，或把 PLUMBLINE_LIBTORCH 设为含有 LibTorch 的 include/ 和 lib/ 的文件夹。</translation></message>
    <message><source>Fetch it with: plumbline fetch-libtorch, or set PLUMBLINE_LIBTORCH to a folder that has include/ and lib/.</source><translation>请用此命令获取：plumbline fetch-libtorch，或把 PLUMBLINE_LIBTORCH 设为含有 include/ 和 lib/ 的文件夹。</translation></message>
    <message><source>PLUMBLINE_LIBTORCH names {}, which has no lib/libtorch_cpu.so</source><translation>PLUMBLINE_LIBTORCH 指向 %1，其中没有 lib/libtorch_cpu.so</translation></message>
    <message><source>Point it at a LibTorch 2.13.0, or unset it.</source><translation>请让它指向 LibTorch 2.13.0，或取消设置。</translation></message>
    <message><source>LibTorch 2.13.0 is not in {}</source><translation>%1 中没有 LibTorch 2.13.0</translation></message>
    <message><source>{} cannot be loaded: {}</source><translation>无法加载 %1：%2</translation></message>
    <message><source>no reason given</source><translation>没有给出原因</translation></message>
    <message><source>PLUMBLINE_RUNTIME names {}, which does not exist</source><translation>PLUMBLINE_RUNTIME 指向 %1，而它不存在</translation></message>
    <message><source>Point it at libplumbline_runtime.so, or unset it.</source><translation>请让它指向 libplumbline_runtime.so，或取消设置。</translation></message>
    <message><source>{} is not beside the program</source><translation>%1 不在程序旁边</translation></message>
    <message><source>Build the target plumbline_runtime, or install the package again.</source><translation>请构建目标 plumbline_runtime，或重新安装软件包。</translation></message>
    <message><source>Remove the folder and run plumbline fetch-libtorch again.</source><translation>请删除该文件夹并重新执行 plumbline fetch-libtorch。</translation></message>
    <message><source>It needs LibTorch 2.13.0; check PLUMBLINE_LIBTORCH, or build again.</source><translation>它需要 LibTorch 2.13.0；请检查 PLUMBLINE_LIBTORCH，或重新构建。</translation></message>
    <message><source>{} belongs to another version of Plumbline</source><translation>%1 属于另一个版本的 Plumbline</translation></message>
    <message><source>Build or install program and runtime together.</source><translation>请一起构建或安装程序与运行库。</translation></message>
    <message><source>Run {} holds no definition</source><translation>运行 %1 没有定义</translation></message>
    <message><source>It was ended before it began; train again.</source><translation>它在开始之前就结束了；请重新训练。</translation></message>
    <message><source>Run {} has no checkpoint</source><translation>运行 %1 没有检查点</translation></message>
    <message><source>Train again, or name another run.</source><translation>请重新训练，或指定另一次运行。</translation></message>
    <message><source>The thread that stores the run cannot be started: {}</source><translation>无法启动保存运行的线程：%1</translation></message>
    <message><source>Storing the run ended with: {}</source><translation>保存运行因此结束：%1</translation></message>
    <message><source>an exception of unknown type</source><translation>未知类型的异常</translation></message>
    <message><source>Resume the run, which goes on from its newest checkpoint, or report this with the project.</source><translation>请恢复该运行（从最新的检查点继续），或连同项目一起报告此问题。</translation></message>
    <message><source>The resume did not begin; the run is as it was.</source><translation>恢复没有开始；该运行保持原样。</translation></message>
    <message><source>Ended by the finding {} of step {}.</source><translation>因第 %2 步的发现 %1 而结束。</translation></message>
    <message><source>The training thread cannot be started: {}</source><translation>无法启动训练线程：%1</translation></message>
    <message><source>Close other programs, or raise the limit on threads.</source><translation>请关闭其他程序，或提高线程数的上限。</translation></message>
    <message><source>The memory of this machine is exhausted</source><translation>本机的内存已耗尽</translation></message>
    <message><source>Use a smaller batch_size, or close other programs.</source><translation>请使用更小的 batch_size，或关闭其他程序。</translation></message>
    <message><source>The run ended with: {}</source><translation>运行因此结束：%1</translation></message>
    <message><source>Everything up to here is stored; resume the run, or report this with the project.</source><translation>到此为止的一切都已保存；请恢复运行，或连同项目一起报告此问题。</translation></message>
    <message><source>The run ended with an exception of unknown type</source><translation>运行因未知类型的异常而结束</translation></message>
    <message><source>The blocks of {} cannot be put in an order in which each has its inputs</source><translation>%1 的模块无法排成每个都有输入的顺序</translation></message>
    <message><source>A cycle through a composite cannot be exported; take the composite apart.</source><translation>穿过复合模块的环无法导出；请拆开该复合模块。</translation></message>
    <message><source>{} shares the weights of {}, which belongs to another composite</source><translation>%1 共享 %2 的权重，而后者属于另一个复合模块</translation></message>
    <message><source>Put both into one graph, or export as torchscript.</source><translation>请把两者放进同一个图，或导出为 torchscript。</translation></message>
    <message><source>{} is not complete, so it cannot be exported</source><translation>%1 不完整，无法导出</translation></message>
    <message><source>plumbline check says what is missing.</source><translation>plumbline check 会说明缺少什么。</translation></message>
    <message><source>The output {} of {} is not connected</source><translation>%2 的输出 %1 没有连接</translation></message>
    <message><source>Connect it.</source><translation>请连接它。</translation></message>
    <message><source>The plan trains under {} autocast{}; the exported programs compute in float32 throughout.</source><translation>该计划以 %1 autocast%2 训练；导出的程序全程以 float32 计算。</translation></message>
    <message><source> with a loss scale</source><translation>（带损失缩放）</translation></message>
    <message><source>output {}</source><translation>输出 %1</translation></message>
    <message><source>The loss {} cannot be written as C++</source><translation>损失 %1 无法写成 C++</translation></message>
    <message><source>Export as torchscript or state-dict.</source><translation>请导出为 torchscript 或 state-dict。</translation></message>
    <message><source>The plan names no loss, so no training program can be written</source><translation>训练计划没有写损失，无法写出训练程序</translation></message>
    <message><source>Add one.</source><translation>请添加一个。</translation></message>
    <message><source>The optimizer {} cannot be written as C++</source><translation>优化器 %1 无法写成 C++</translation></message>
    <message><source>LibTorch's LBFGS, which the exported program uses, neither maximises nor centralises gradients</source><translation>导出的程序使用 LibTorch 的 LBFGS，它既不最大化损失，也不中心化梯度</translation></message>
    <message><source>Switch maximize and gradient_centralization off, or export as torchscript or state-dict.</source><translation>请关闭 maximize 和 gradient_centralization，或导出为 torchscript 或 state-dict。</translation></message>
    <message><source>LBFGS has one learning rate for all parameters, and the plan gives some of them another</source><translation>LBFGS 的所有参数共用一个学习率，而训练计划给其中一些参数另一个学习率</translation></message>
    <message><source>Remove the groups and layer_decay.</source><translation>请移除参数组和 layer_decay。</translation></message>
    <message><source>The exported program validates once an epoch and measures val.loss alone, and reduce_on_plateau follows something else</source><translation>导出的程序每轮验证一次，只测量 val.loss，而 reduce_on_plateau 依据的是别的</translation></message>
    <message><source>Let scheduler.series be val.loss and validation.every 1 epoch, or export as torchscript or state-dict.</source><translation>请让 scheduler.series 为 val.loss、validation.every 为 1 轮，或导出为 torchscript 或 state-dict。</translation></message>
    <message><source>The exported program cannot draw the gradient noise that the training draws</source><translation>导出的程序无法抽取训练所抽取的梯度噪声</translation></message>
    <message><source>Set gradient_noise.eta to 0, or export as torchscript or state-dict.</source><translation>请把 gradient_noise.eta 设为 0，或导出为 torchscript 或 state-dict。</translation></message>
    <message><source>The exported program does not make the mistake {} on purpose</source><translation>导出的程序不会故意犯 %1 这个错误</translation></message>
    <message><source>Switch it off, or export as torchscript or state-dict.</source><translation>请关闭它，或导出为 torchscript 或 state-dict。</translation></message>
    <message><source>{} of the formula cannot be written as C++</source><translation>公式中的 %1 无法写成 C++</translation></message>
    <message><source>The plan trains under autocast; these programs compute in float32 throughout.</source><translation>训练计划使用自动混合精度；这些程序全程用 float32 计算。</translation></message>
    <message><source>The output {} is not connected</source><translation>输出 %1 没有连接</translation></message>
    <message><source>in_channels and out_channels have to be divisible by groups.</source><translation>in_channels 和 out_channels 必须能被 groups 整除。</translation></message>
    <message><source>padding "same" needs a stride of 1.</source><translation>padding "same" 需要 stride 为 1。</translation></message>
    <message><source>The model has {} inputs and was given {}.</source><translation>模型有 %1 个输入，而得到 %2 个。</translation></message>
    <message><source>The input {} of the model was given no tensor.</source><translation>模型的输入 %1 没有得到张量。</translation></message>
    <message><source>The input {} has the shape [{}] and the model wants [{}].</source><translation>输入 %1 的形状是 [%2]，而模型需要 [%3]。</translation></message>
    <message><source>Check the data's transforms, or change the shape of the model's input.</source><translation>请检查数据的变换，或更改模型输入的形状。</translation></message>
    <message><source>The model's inputs could not be taken over</source><translation>无法接受模型的输入</translation></message>
    <message><source>The block {} ({}) failed on {}</source><translation>模块 %1（%2）对 %3 计算失败</translation></message>
    <message><source>mat1 and mat2 shapes cannot be multiplied</source><translation>mat1 和 mat2 的形状无法相乘</translation></message>
    <message><source>The last dimension of the input has to be in_features.</source><translation>输入的最后一维必须等于 in_features。</translation></message>
    <message><source>must have the same dtype</source><translation>必须有相同的 dtype</translation></message>
    <message><source>Convert the input to the dtype of the block's parameters, for example with a ToDtype block.</source><translation>请把输入转换为该模块参数的 dtype，例如用 ToDtype 模块。</translation></message>
    <message><source>should be the same</source><translation>应当相同</translation></message>
    <message><source>Convert the input to the dtype and the device of the block's parameters.</source><translation>请把输入转换到该模块参数的 dtype 和设备。</translation></message>
    <message><source>Expected tensor for argument #1 'indices'</source><translation>参数 #1 'indices' 的张量类型不符</translation></message>
    <message><source>Token ids are int64 or int32; convert them with a ToDtype block.</source><translation>词元编号应是 int64 或 int32；请用 ToDtype 模块转换。</translation></message>
    <message><source>Expected all tensors to be on the same device</source><translation>所有张量必须在同一设备上</translation></message>
    <message><source>Move the input to the model's device.</source><translation>请把输入移到模型所在的设备。</translation></message>
    <message><source>can't allocate memory</source><translation>无法分配内存</translation></message>
    <message><source>out of memory</source><translation>内存耗尽</translation></message>
    <message><source>not enough memory</source><translation>内存不足</translation></message>
    <message><source>{}: there is not enough memory.</source><translation>%1：内存不足。</translation></message>
    <message><source>Use a smaller batch, a smaller model, or close other programs.</source><translation>请使用更小的批次、更小的模型，或关闭其他程序。</translation></message>
    <message><source>an unknown exception</source><translation>未知的异常</translation></message>
    <message><source>no tensor</source><translation>没有张量</translation></message>
    <message><source>no input</source><translation>没有输入</translation></message>
    <message><source>Fan in and fan out need a tensor with at least two dimensions.</source><translation>fan in 和 fan out 需要至少两维的张量。</translation></message>
    <message><source>There is no gain for the nonlinearity {}.</source><translation>非线性 %1 没有增益。</translation></message>
    <message><source>An orthogonal start needs a tensor with at least two dimensions.</source><translation>正交初始化需要至少两维的张量。</translation></message>
    <message><source>The model's blocks depend on each other in a circle.</source><translation>模型的模块互相依赖成环。</translation></message>
    <message><source>Remove one connection of the circle.</source><translation>请删除环上的一条连接。</translation></message>
    <message><source>The output {} is not connected.</source><translation>输出 %1 没有连接。</translation></message>
    <message><source>Connect it to a block, or remove it.</source><translation>请把它连到一个模块，或将它删除。</translation></message>
    <message><source>The block {} has the type {}, which this program cannot build.</source><translation>模块 %1 的类型是 %2，本程序无法构建它。</translation></message>
    <message><source>The block {} shares the weights of {}, which is no other block of the model.</source><translation>模块 %1 共享 %2 的权重，而后者不是模型中的其他模块。</translation></message>
    <message><source>Name a block of the same graph, or remove "weights".</source><translation>请写同一个图里的模块，或去掉 "weights"。</translation></message>
    <message><source>The block {} cannot share the weights of {}: their parameters differ in name or shape.</source><translation>模块 %1 不能共享 %2 的权重：两者参数的名称或形状不同。</translation></message>
    <message><source>Give both blocks the same type and parameters.</source><translation>请让两个模块的类型和参数相同。</translation></message>
    <message><source>The model could not be built</source><translation>无法构建模型</translation></message>
    <message><source>The block {} ({}) could not be built</source><translation>无法构建模块 %1（%2）</translation></message>
    <message><source>Expected {} and got {} dimensions.</source><translation>需要 %1 维，而得到 %2 维。</translation></message>
    <message><source>{} or {}</source><translation>%1 或 %2</translation></message>
    <message><source>num_channels ({}) has to be divisible by num_groups ({}).</source><translation>num_channels（%1）必须能被 num_groups（%2）整除。</translation></message>
    <message><source>The parameter {} has to be {} and is {}.</source><translation>参数 %1 必须是%2，而它是 %3。</translation></message>
    <message><source>The parameter {} is missing.</source><translation>缺少参数 %1。</translation></message>
    <message><source>one whole number or a list of {}</source><translation>一个整数或 %1 的列表</translation></message>
    <message><source>output_size has to be one whole number or a list of two.</source><translation>output_size 必须是一个整数或两个整数的列表。</translation></message>
    <message><source>Expected 2 or 3 dimensions and got {}.</source><translation>需要 2 或 3 维，而得到 %1 维。</translation></message>
    <message><source>The last dimension has to be input_size = {} and is {}.</source><translation>最后一维必须等于 input_size = %1，而它是 %2。</translation></message>
    <message><source>{} and {} more</source><translation>%1 等另外 %2 个</translation></message>
    <message><source>{} ([{}] instead of [{}])</source><translation>%1（[%2]，应为 [%3]）</translation></message>
    <message><source>wrong shape</source><translation>形状不符</translation></message>
    <message><source>different from the weights they share</source><translation>与其共享的权重不同</translation></message>
    <message><source>The weights do not fit the model: {}.</source><translation>权重与模型不符：%1。</translation></message>
    <message><source>Load weights that were saved from the same model definition.</source><translation>请加载由同一模型定义保存的权重。</translation></message>
    <message><source>The weights could not be copied into the model</source><translation>无法把权重复制到模型中</translation></message>
    <message><source>{} is not a dtype.</source><translation>%1 不是 dtype。</translation></message>
    <message><source>Run "plumbline check" for all problems.</source><translation>请执行 "plumbline check" 查看所有问题。</translation></message>
    <message><source>The device could not be set up</source><translation>无法设置设备</translation></message>
    <message><source>The model's input {} gets no data; the data feed {}.</source><translation>模型的输入 %1 没有得到数据；数据提供的是 %2。</translation></message>
    <message><source>Add "{}" to data.inputs, or rename the model's input.</source><translation>请把 "%1" 加入 data.inputs，或给模型的输入改名。</translation></message>
    <message><source>The checkpoint cannot be used: {}.</source><translation>检查点不可用：%1。</translation></message>
    <message><source>Use an older checkpoint of the run.</source><translation>请使用该运行更早的检查点。</translation></message>
    <message><source>write the checkpoint</source><translation>写入检查点</translation></message>
    <message><source>the tensor {} has an unknown element type</source><translation>张量 %1 的元素类型未知</translation></message>
    <message><source>the tensor {} is larger than the file</source><translation>张量 %1 比文件还大</translation></message>
    <message><source>the tensor {} lies outside the file</source><translation>张量 %1 位于文件之外</translation></message>
    <message><source>its list of tensors does not fill the file</source><translation>它的张量列表没有占满文件</translation></message>
    <message><source>read the checkpoint</source><translation>读取检查点</translation></message>
    <message><source>it is cut short</source><translation>它被截断了</translation></message>
    <message><source>it is no checkpoint of this program</source><translation>它不是本程序的检查点</translation></message>
    <message><source>its header is damaged</source><translation>它的文件头已损坏</translation></message>
    <message><source>The checkpoint has version {}, this program reads version 1.</source><translation>检查点是版本 %1，本程序读取版本 1。</translation></message>
    <message><source>Use the program that wrote it, or a newer one.</source><translation>请使用写入它的程序，或更新的版本。</translation></message>
    <message><source>its checksum does not hold</source><translation>它的校验和不符</translation></message>
    <message><source>The checkpoint could not be written</source><translation>无法写入检查点</translation></message>
    <message><source>The checkpoint could not be read</source><translation>无法读取检查点</translation></message>
    <message><source>The run has no checkpoint to go on from.</source><translation>该运行没有可供继续的检查点。</translation></message>
    <message><source>None of the run's {} checkpoints is whole; the newest: {}</source><translation>该运行的 %1 个检查点没有一个完整；最新的：%2</translation></message>
    <message><source>Start a new run.</source><translation>请开始新的运行。</translation></message>
    <message><source>keep the best checkpoint</source><translation>保留最佳检查点</translation></message>
    <message><source>There is no {}: {} CUDA devices are here.</source><translation>没有 %1：这里有 %2 个 CUDA 设备。</translation></message>
    <message><source>Choose auto or cpu.</source><translation>请选择 auto 或 cpu。</translation></message>
    <message><source>The run was asked to stop.</source><translation>运行被要求停止。</translation></message>
    <message><source>Evaluating a batch failed</source><translation>评估一个批次失败</translation></message>
    <message><source>The gradients have already been unscaled since the last update.</source><translation>自上次 update 以来梯度已经取消过缩放。</translation></message>
    <message><source>The gradients are unscaled after the optimizer has stepped.</source><translation>梯度在优化器更新之后才取消缩放。</translation></message>
    <message><source>Call unscale once a step, before clip and step.</source><translation>请每步调用一次 unscale，在裁剪和更新之前。</translation></message>
    <message><source>The optimizer has already stepped since the scaler's last update.</source><translation>自缩放器上次 update 以来优化器已经更新过。</translation></message>
    <message><source>Call update after each step.</source><translation>请在每步之后调用 update。</translation></message>
    <message><source>{} cannot change while the run goes on.</source><translation>%1 在运行进行中不能更改。</translation></message>
    <message><source>Change it in the project: the next run takes it.</source><translation>请在项目中更改：下次运行会采用。</translation></message>
    <message><source>{} cannot be {}.</source><translation>%1 不能是 %2。</translation></message>
    <message><source>Give a number that is not negative.</source><translation>请给出非负的数。</translation></message>
    <message><source>Choose a class column as target, or MSELoss for a number.</source><translation>请选择类别列作为目标，或对数值使用 MSELoss。</translation></message>
    <message><source>Give one weight a class.</source><translation>请给每个类别一个权重。</translation></message>
    <message><source>{} got a prediction {} and a target {}; broadcasting them would compare every prediction with every target.</source><translation>%1 得到预测 %2 和目标 %3；广播会把每个预测与每个目标比较。</translation></message>
    <message><source>Give the model's output and the target the same shape.</source><translation>请让模型的输出与目标形状相同。</translation></message>
    <message><source>list of numbers</source><translation>数的列表</translation></message>
    <message><source>0.1 is usual.</source><translation>常用的是 0.1。</translation></message>
    <message><source>There is no loss "{}".</source><translation>没有损失 "%1"。</translation></message>
    <message><source>There is no metric "{}".</source><translation>没有指标 "%1"。</translation></message>
    <message><source>a target has the class {}, and the output tells only {} classes apart, from 0</source><translation>目标含有类别 %1，而输出只区分 %2 个类别（从 0 起）</translation></message>
    <message><source>{} labels of a target are no class of the output, which tells {} apart, from 0</source><translation>目标的 %1 个标签不是输出的类别，输出区分 %2 个类别（从 0 起）</translation></message>
    <message><source>a metric's state lacks "</source><translation>指标的状态缺少 "</translation></message>
    <message><source>only the background occurs</source><translation>只出现了背景</translation></message>
    <message><source>it is for classes that exclude each other</source><translation>它用于互斥的类别</translation></message>
    <message><source>an output told {} classes apart, and now {}</source><translation>输出此前区分 %1 个类别，现在是 %2 个</translation></message>
    <message><source>a confusion matrix of {} classes; it has at most {}</source><translation>%1 个类别的混淆矩阵；最多 %2 个</translation></message>
    <message><source>the metric</source><translation>该指标</translation></message>
    <message><source>some scores are not numbers</source><translation>有些得分不是数</translation></message>
    <message><source>nothing was counted</source><translation>没有计入任何内容</translation></message>
    <message><source>class {} has no sample</source><translation>类别 %1 没有样本</translation></message>
    <message><source>all samples are of class {}</source><translation>所有样本都属于类别 %1</translation></message>
    <message><source>average "binary" is for two classes</source><translation>average "binary" 用于两个类别</translation></message>
    <message><source>it takes two samples</source><translation>需要两个样本</translation></message>
    <message><source>roc_auc and average_precision keep every score of a split, at most {} of them ({} MB), and there are more; measure fewer samples, or another metric</source><translation>roc_auc 和 average_precision 保存一个划分的所有得分，最多 %1 个（%2 MB），而现在更多；请测量更少的样本，或使用另一个指标</translation></message>
    <message><source>a metric's state is cut short</source><translation>指标的状态不完整</translation></message>
    <message><source>r2 got samples of {} numbers, and now of {}</source><translation>r2 此前得到每个样本 %1 个数，现在是 %2 个</translation></message>
    <message><source>docs/metrics.md lists those that there are.</source><translation>docs/metrics.md 列出了所有指标。</translation></message>
    <message><source>{} has no value over the split {}: {}.</source><translation>%1 在划分 %2 上没有值：%3。</translation></message>
    <message><source>The metrics could not be read</source><translation>无法读取指标</translation></message>
    <message><source>The best checkpoint is the one with the {} {}, of which {} values are better.</source><translation>最佳检查点取 %2 %1者，而它的值%3更好。</translation></message>
    <message><source>Set checkpoints.best.mode to "{}".</source><translation>请把 checkpoints.best.mode 设为 "%1"。</translation></message>
    <message><source>The best checkpoint is chosen by {}, which is a table and no number.</source><translation>最佳检查点按 %1 选择，而它是一张表，不是数。</translation></message>
    <message><source>{} has the name "loss", which is that of the losses' sum</source><translation>%1 的名称是 "loss"，那是各损失之和的名称</translation></message>
    <message><source>Give it another name.</source><translation>请另取名称。</translation></message>
    <message><source>{} cannot compare the output {} of shape [{}] with the target {} of shape [{}].</source><translation>%1 无法把形状为 [%3] 的输出 %2 与形状为 [%5] 的目标 %4 比较。</translation></message>
    <message><source>{} tells classes apart, and the target {} is a number.</source><translation>%1 区分类别，而目标 %2 是一个数。</translation></message>
    <message><source>Choose a class as target, or mae, rmse or r2 for numbers.</source><translation>请选择类别作为目标，或对数使用 mae、rmse 或 r2。</translation></message>
    <message><source>{} compares with a class, and the target {} has a number for each score of the output {}.</source><translation>%1 与类别比较，而目标 %2 对输出 %3 的每个得分各有一个数。</translation></message>
    <message><source>Choose a class as target, or another metric.</source><translation>请选择类别作为目标，或使用另一个指标。</translation></message>
    <message><source>{} is for classes that exclude each other, and the target {} answers each score of the output {} for itself.</source><translation>%1 用于互斥的类别，而目标 %2 对输出 %3 的每个得分分别作答。</translation></message>
    <message><source>Use f1, precision or recall.</source><translation>请使用 f1、precision 或 recall。</translation></message>
    <message><source>{} with the average "binary" is for one answer, and the target {} has several.</source><translation>average 为 "binary" 的 %1 用于一个回答，而目标 %2 有多个。</translation></message>
    <message><source>Choose the average micro, macro or weighted.</source><translation>请选择 average 为 micro、macro 或 weighted。</translation></message>
    <message><source>{} keeps every score of a split, at most {}, and the split {} has {} of {}.</source><translation>%1 保存一个划分的所有得分，最多 %2 个，而划分 %3 有%4，每个有%5。</translation></message>
    <message><source>Use f1, precision or recall, which count as they go.</source><translation>请使用边累积边计数的 f1、precision 或 recall。</translation></message>
    <message><source>{} wants a floating-point output and "{}" is {}.</source><translation>%1 需要浮点输出，而 "%2" 是 %3。</translation></message>
    <message><source>Let it read the output that the loss reads.</source><translation>请让它读取损失所读取的输出。</translation></message>
    <message><source>{} wants a score for each class, of shape [B, C], and "{}" has shape [{}].</source><translation>%1 需要每个类别一个得分，形状为 [B, C]，而 "%2" 的形状为 [%3]。</translation></message>
    <message><source>Use accuracy, or give the output a score for each class.</source><translation>请使用 accuracy，或让输出对每个类别给出一个得分。</translation></message>
    <message><source>confusion_matrix has at most {} classes, and the output "{}" tells {} apart.</source><translation>confusion_matrix 最多 %1 个类别，而输出 "%2" 区分 %3 个。</translation></message>
    <message><source>Use f1 or balanced_accuracy, which need no table.</source><translation>请使用不需要表的 f1 或 balanced_accuracy。</translation></message>
    <message><source>{} with the average "binary" is for two classes, and the output "{}" tells {} apart.</source><translation>average 为 "binary" 的 %1 用于两个类别，而输出 "%2" 区分 %3 个。</translation></message>
    <message><source>{} compares numbers, and the target {} is a class.</source><translation>%1 比较数，而目标 %2 是类别。</translation></message>
    <message><source>Use accuracy or f1, or choose a number as target.</source><translation>请使用 accuracy 或 f1，或选择数作为目标。</translation></message>
    <message><source>Give the output and the target one shape.</source><translation>请让输出与目标形状相同。</translation></message>
    <message><source>A class has the output's shape without its second dimension; answers of yes and no have the whole of it.</source><translation>类别的形状是输出的形状去掉第二维；是非回答则与输出形状完全相同。</translation></message>
    <message><source>{} is 1 for every model, since the output "{}" tells only {} classes apart. Lower k.</source><translation>对任何模型 %1 都是 1，因为输出 "%2" 只区分 %3 个类别。请减小 k。</translation></message>
    <message><source>largest</source><translation>最大</translation></message>
    <message><source>smallest</source><translation>最小</translation></message>
    <message><source>larger</source><translation>越大</translation></message>
    <message><source>smaller</source><translation>越小</translation></message>
    <message><source>The model has no output "{}"; it has {}.</source><translation>模型没有输出 "%1"；它有 %2。</translation></message>
    <message><source>The data have no target "{}"; they have {}.</source><translation>数据没有目标 "%1"；它有 %2。</translation></message>
    <message><source>Add it to data.targets.</source><translation>请把它加入 data.targets。</translation></message>
    <message><source>The training has no loss, so there is nothing to minimise.</source><translation>训练没有损失，所以没有要最小化的目标。</translation></message>
    <message><source>The model has no parameter that is trained.</source><translation>模型没有可训练的参数。</translation></message>
    <message><source>Add a block with parameters, or take "frozen" away from one.</source><translation>请添加有参数的模块，或去掉某个模块的 "frozen"。</translation></message>
    <message><source>Nesterov needs a momentum above 0 and no dampening, but momentum is {} and dampening {}.</source><translation>Nesterov 需要大于 0 的 momentum 且没有 dampening，而 momentum 是 %1，dampening 是 %2。</translation></message>
    <message><source>Set momentum to 0.9 and dampening to 0, or nesterov to false.</source><translation>请把 momentum 设为 0.9、dampening 设为 0，或把 nesterov 设为 false。</translation></message>
    <message><source>There is no optimizer "{}".</source><translation>没有优化器 "%1"。</translation></message>
    <message><source>Use SGD, Adam or AdamW.</source><translation>请使用 SGD、Adam 或 AdamW。</translation></message>
    <message><source>The saved optimizer state {}.{} is missing or does not fit the parameter.</source><translation>保存的优化器状态 %1.%2 缺失，或与参数不符。</translation></message>
    <message><source>Resume with the model and optimizer that the run was started with.</source><translation>请用开始该运行时的模型和优化器恢复。</translation></message>
    <message><source>The project's model, data or training settings are not those that the run was started with.</source><translation>项目的模型、数据或训练设置与开始该运行时不同。</translation></message>
    <message><source>Go on with the definition that the run recorded, or start a new run.</source><translation>请用该运行记录的定义继续，或开始新的运行。</translation></message>
    <message><source>The data have changed since the run was started, so it cannot go on exactly.</source><translation>数据自该运行开始以来已经改变，无法精确地继续。</translation></message>
    <message><source>Put the data back as they were, or start a new run.</source><translation>请把数据恢复原样，或开始新的运行。</translation></message>
    <message><source>The checkpoint lacks something: </source><translation>检查点缺少内容：%1</translation></message>
    <message><source>Use another checkpoint of the run.</source><translation>请使用该运行的另一个检查点。</translation></message>
    <message><source>The checkpoint could not be taken over</source><translation>无法采用该检查点</translation></message>
    <message><source>The training step failed</source><translation>训练步失败</translation></message>
    <message><source>The optimizer's step failed</source><translation>优化器更新失败</translation></message>
    <message><source>The saved gradient of {} does not have the parameter's shape.</source><translation>保存的 %1 的梯度与该参数的形状不符。</translation></message>
    <message><source>The averaged weights of {} are missing or do not have the parameter's shape.</source><translation>%1 的平均权重缺失，或与该参数的形状不符。</translation></message>
    <message><source>{} lies in another tensor's memory, so it cannot be averaged.</source><translation>%1 位于另一个张量的内存中，因此无法平均。</translation></message>
    <message><source>BatchNorm's statistics could not be taken anew for the averaged weights</source><translation>无法为平均权重重新统计 BatchNorm</translation></message>
    <message><source>The scaler has skipped {} in a row, so after step {} its scale is {} again and the learning rate {} instead of {}.</source><translation>缩放器已连续跳过%1，因此在第 %2 步之后缩放重新为 %3，学习率由 %5 变为 %4。</translation></message>
    <message><source>The device {} does not compute in {}.</source><translation>设备 %1 不能以 %2 计算。</translation></message>
    <message><source>Set training.precision to bf16 or fp32, or choose another device.</source><translation>请把 training.precision 设为 bf16 或 fp32，或选择另一个设备。</translation></message>
    <message><source>Set training.precision to fp32, or choose another device.</source><translation>请把 training.precision 设为 fp32，或选择另一个设备。</translation></message>
    <message><source>The training split has {} samples, which gives no batch of {}.</source><translation>训练集有 %1 个样本，凑不成 %2 个样本的批次。</translation></message>
    <message><source>Passed over: </source><translation>已跳过：%1</translation></message>
    <message><source>Goes on after step {}, epoch {}.</source><translation>在第 %1 步、第 %2 轮之后继续。</translation></message>
    <message><source>A batch could not be taken over</source><translation>无法接受一个批次</translation></message>
    <message><source>The best checkpoint cannot be read, so the last model is tested. </source><translation>无法读取最佳检查点，因此测试最后的模型。%1</translation></message>
    <message><source>Interrupted {}; everything so far is saved.</source><translation>%1中断；到此为止的一切都已保存。</translation></message>
    <message><source>Terminated {}; everything so far is saved.</source><translation>%1终止；到此为止的一切都已保存。</translation></message>
    <message><source>Stopped by a finding {}.</source><translation>%1因发现而停止。</translation></message>
    <message><source>Stopped {}.</source><translation>%1停止。</translation></message>
    <message><source>The run failed</source><translation>运行失败</translation></message>
    <message><source>What was asked for last failed</source><translation>最后要求的操作失败</translation></message>
    <message><source>model name</source><translation>模型名称</translation></message>
    <message><source>The training split holds no sample</source><translation>训练集没有样本</translation></message>
    <message><source>; a split larger than {} MiB is left out</source><translation>；大于 %1 MiB 的划分会略过</translation></message>
    <message><source>Configuring the exported project</source><translation>正在配置导出的项目</translation></message>
    <message><source>Building the exported project (a minute or so)</source><translation>正在构建导出的项目（约一分钟）</translation></message>
    <message><source>Comparing forward and five training steps</source><translation>正在比较前向计算和五个训练步</translation></message>
    <message><source>{} ended with exit code {}: {}</source><translation>%1 以退出码 %2 结束：%3</translation></message>
    <message><source>Export without --verify to look at the project.</source><translation>请不带 --verify 导出，以查看该项目。</translation></message>
    <message><source>The export ended</source><translation>导出结束</translation></message>
    <message><source>The transform {} cannot be written as C++</source><translation>变换 %1 无法写成 C++</translation></message>
    <message><source>This data set keeps no values from before its transforms</source><translation>该数据集不保留变换之前的值</translation></message>
    <message><source>The exported model cannot be run on the data</source><translation>导出的模型无法在数据上运行</translation></message>
    <message><source>The model cannot be trained on the data to compare</source><translation>模型无法在数据上训练以作比较</translation></message>
    <message><source>it printed nothing</source><translation>它没有输出任何内容</translation></message>
    <message><source>{} already holds files, which an export would overwrite</source><translation>%1 中已有文件，导出会覆盖它们</translation></message>
    <message><source>Choose a new folder, or remove this one.</source><translation>请选择新的文件夹，或删除这一个。</translation></message>
    <message><source>There is no export format "{}"</source><translation>没有导出格式 "%1"</translation></message>
    <message><source>outputs and five training steps</source><translation>输出与五个训练步</translation></message>
    <message><source>every tensor</source><translation>每个张量</translation></message>
    <message><source>There are {}.</source><translation>可用的有 %1。</translation></message>
    <message><source>Cannot write {}: {}</source><translation>无法写入 %1：%2</translation></message>
    <message><source>Check the free space and the permissions of the folder.</source><translation>请检查该文件夹的剩余空间和权限。</translation></message>
    <message><source>Cannot start {}: {}</source><translation>无法启动 %1：%2</translation></message>
    <message><source>Install {}.</source><translation>请安装 %1。</translation></message>
    <message><source>{} was stopped</source><translation>%1 被停止</translation></message>
    <message><source>{} is no whole file of tensors</source><translation>%1 不是完整的张量文件</translation></message>
    <message><source>TorchScript refused the model: {}</source><translation>TorchScript 拒绝了该模型：%1</translation></message>
    <message><source>Export as cpp or state-dict.</source><translation>请导出为 cpp 或 state-dict。</translation></message>
    <message><source>Matrix multiplication reaches only {:.1f} GFLOP/s.</source><translation>矩阵乘法只达到 %1 GFLOP/s。</translation></message>
    <message><source>Close other programs, or check that the processor's vector instructions reach this machine.</source><translation>请关闭其他程序，或检查处理器的向量指令是否可用于本机。</translation></message>
    <message><source>Idle OpenMP threads spin instead of sleeping (OMP_WAIT_POLICY is not PASSIVE).</source><translation>空闲的 OpenMP 线程在空转而不是休眠（OMP_WAIT_POLICY 不是 PASSIVE）。</translation></message>
    <message><source>Unset OMP_WAIT_POLICY, so that the program can choose it.</source><translation>请取消设置 OMP_WAIT_POLICY，让程序自行选择。</translation></message>
    <message><source>at most {:.1f} MB of tensors were held: {} {:.1f} MB, {} {:.1f} MB</source><translation>最多占用了 %1 MB 张量：%2 %3 MB，%4 %5 MB</translation></message>
    <message><source>Use a smaller batch_size, raise accumulation, or close other programs.</source><translation>请使用更小的 batch_size、增大 accumulation，或关闭其他程序。</translation></message>
    <message><source>The evaluation failed</source><translation>评估失败</translation></message>
    <message><source>The split {} has no samples.</source><translation>划分 %1 没有样本。</translation></message>
    <message><source>Choose another split, or give it a share.</source><translation>请选择另一个划分，或给它一个份额。</translation></message>
    <message><source>The prediction failed</source><translation>预测失败</translation></message>
    <message><source>The export failed</source><translation>导出失败</translation></message>
    <message><source>This build holds no exporter, so "{}" cannot be written.</source><translation>此构建不含导出功能，因此无法写入 "%1"。</translation></message>
    <message><source>Build with the module export.</source><translation>请带模块 export 构建。</translation></message>
    <message><source>CUDA cannot be used: </source><translation>无法使用 CUDA：%1</translation></message>
    <message><source>the loader gives no reason</source><translation>加载器没有给出原因</translation></message>
    <message><source>this machine has no NVIDIA driver (libcuda.so.1)</source><translation>本机没有 NVIDIA 驱动（libcuda.so.1）</translation></message>
    <message><source>Install the driver, or train with --device cpu.</source><translation>请安装驱动，或用 --device cpu 训练。</translation></message>
    <message><source>LibTorch's CUDA half (libtorch_cuda.so) is not installed in </source><translation>LibTorch 的 CUDA 部分（libtorch_cuda.so）没有安装在 %1</translation></message>
    <message><source>Run tools/fetch-libtorch --with-cuda, or train with --device cpu.</source><translation>请执行 tools/fetch-libtorch --with-cuda，或用 --device cpu 训练。</translation></message>
    <message><source>Install the NVIDIA libraries that LibTorch names, or train with --device cpu.</source><translation>请安装 LibTorch 所需的 NVIDIA 库，或用 --device cpu 训练。</translation></message>
    <message><source>the driver offers no device</source><translation>驱动没有提供设备</translation></message>
    <message><source>Check nvidia-smi, or train with --device cpu.</source><translation>请检查 nvidia-smi，或用 --device cpu 训练。</translation></message>
    <message><source>The gradient statistics failed on the device: {}.</source><translation>设备上的梯度统计失败：%1。</translation></message>
    <message><source>Check the driver, or train with --device cpu.</source><translation>请检查驱动，或用 --device cpu 训练。</translation></message>
    <message><source>Gradient {} has the dtype {}, which has no norm.</source><translation>梯度 %1 的 dtype 是 %2，它没有范数。</translation></message>
    <message><source>There are {} tensors and room for {} results.</source><translation>有 %1 个张量，而只能容纳 %2 个结果。</translation></message>
    <message><source>libplumbline_cuda.so is not there: this build had no nvcc</source><translation>没有 libplumbline_cuda.so：此构建没有 nvcc</translation></message>
    <message><source> cannot be opened</source><translation>无法打开</translation></message>
    <message><source> belongs to another version</source><translation>属于另一个版本</translation></message>
    <message><source>guessing</source><translation>随机猜测</translation></message>
    <message><source>the output</source><translation>输出</translation></message>
    <message><source>none</source><translation>无</translation></message>
    <message><source>read</source><translation>读取</translation></message>
    <message><source>write</source><translation>写入</translation></message>
    <message><source>delete</source><translation>删除</translation></message>
    <message><source>width</source><translation>宽</translation></message>
    <message><source>height</source><translation>高</translation></message>
    <message><source>gets different {}: [{}] from {{{}}} and [{}] from {{{}}}</source><translation>的%1不一致：从 %3 得到 [%2]，从 %5 得到 [%4]</translation></message>
    <message><source>knows {} positions and gets a sequence of {} from {{0}}</source><translation>只知道 %1 个位置，而从 %3 得到长度为 %2 的序列</translation></message>
    <message><source>Set max_len to {} or more, or check batch_first.</source><translation>请把 max_len 设为 %1 或更大，或检查 batch_first。</translation></message>
    <message><source>pairs a sine with a cosine and gets {} features from {{0}}</source><translation>把正弦与余弦配成对，而从 %2 得到 %1 个特征</translation></message>
    <message><source>Give it an even number of features, or use LearnedPositionalEncoding.</source><translation>请给它偶数个特征，或使用 LearnedPositionalEncoding。</translation></message>
    <message><source>normalises over the values of a channel and gets a single one, [{}], from {{0}}</source><translation>在一个通道的各值上归一化，而从 %2 只得到一个值，[%1]</translation></message>
    <message><source>Use it before the size has become 1, or use LayerNorm.</source><translation>请在大小变为 1 之前使用它，或使用 LayerNorm。</translation></message>
    <message><source>has output_padding = {} with stride {} and dilation {}</source><translation>的 output_padding = %1，而 stride 为 %2，dilation 为 %3</translation></message>
    <message><source>Set output_padding to {} or less: it has to stay below stride or dilation.</source><translation>请把 output_padding 设为 %1 或更小：它须小于 stride 或 dilation。</translation></message>
    <message><source>takes {} {} off both sides and gets [{}] from {{0}}, which leaves nothing</source><translation>从两侧各去掉 %1 %2，而从 %4 得到 [%3]，结果什么也不剩</translation></message>
    <message><source>Make the padding smaller, or the kernel larger.</source><translation>请减小填充，或增大核。</translation></message>
    <message><source>has size and scale_factor, of which one is enough</source><translation>同时有 size 和 scale_factor，只需其中一个</translation></message>
    <message><source>has neither size nor scale_factor</source><translation>既没有 size 也没有 scale_factor</translation></message>
    <message><source>Set one of them, and leave the other at null.</source><translation>请设置其中一个，另一个保持 null。</translation></message>
    <message><source>has align_corners with the mode {}, which does not interpolate</source><translation>设了 align_corners，而模式 %1 不做插值</translation></message>
    <message><source>Set align_corners to false, or mode to bilinear.</source><translation>请把 align_corners 设为 false，或把 mode 设为 bilinear。</translation></message>
    <message><source>has scale_factor = {} and gets a size of {} from {{0}}</source><translation>的 scale_factor = %1，而从 %3 得到大小 %2</translation></message>
    <message><source>Make scale_factor larger.</source><translation>请增大 scale_factor。</translation></message>
    <message><source>Make scale_factor smaller.</source><translation>请减小 scale_factor。</translation></message>
    <message><source>needs a fixed size with scale_factor = {}, and gets {} from {{0}}</source><translation>在 scale_factor = %1 时需要固定的大小，而从 %3 得到 %2</translation></message>
    <message><source>Give the input a fixed height and width, or set scale_factor to a whole number.</source><translation>请给输入固定的高和宽，或把 scale_factor 设为整数。</translation></message>
    <message><source>has {} = {}, which does not divide {} {}</source><translation>的 %1 = %2，不能整除 %3 %4</translation></message>
    <message><source>Set {} to a divisor of {}.</source><translation>请把 %1 设为 %2 的约数。</translation></message>
    <message><source>Connect sequences that belong together, and check batch_first.</source><translation>请连接属于同一组的序列，并检查 batch_first。</translation></message>
    <message><source>Expected 3 dimensions and got {}.</source><translation>需要 3 个维度，而得到 %1 个。</translation></message>
    <message><source>Expected 3 dimensions for {} and got {}.</source><translation>%1 需要 3 个维度，而得到 %2 个。</translation></message>
    <message><source>It knows {} positions and the sequence has {}; set max_len to {} or more.</source><translation>它只知道 %1 个位置，而序列长度为 %2；请把 max_len 设为 %3 或更大。</translation></message>
    <message><source>It pairs a sine with a cosine and needs an even number of features.</source><translation>它把正弦与余弦配成对，需要偶数个特征。</translation></message>
    <message><source>output_padding has to be smaller than stride or dilation.</source><translation>output_padding 必须小于 stride 或 dilation。</translation></message>
    <message><source>Either size or scale_factor has to be given.</source><translation>必须给出 size 或 scale_factor 之一。</translation></message>
    <message><source>The {} features have to be divisible by the {} heads.</source><translation>%1 个特征必须能被 %2 个头整除。</translation></message>
    <message><source>key and value have to be of one length and batch.</source><translation>key 与 value 的长度和批次必须相同。</translation></message>
    <message><source>batches</source><translation>批次</translation></message>
    <message><source>lengths</source><translation>长度</translation></message>
    <message><source>rows</source><translation>行</translation></message>
    <message><source>columns</source><translation>列</translation></message>
    <message><source>channels</source><translation>通道</translation></message>
    <message><source>features</source><translation>特征</translation></message>
    <message><source>the loss</source><translation>损失</translation></message>
    <message><source>{}'s activation {}</source><translation>%1 的激活 %2</translation></message>
    <message><source>{}'s parameter {}</source><translation>%1 的参数 %2</translation></message>
    <message><source>{}'s gradient {}</source><translation>%1 的梯度 %2</translation></message>
    <message><source>the activation {}</source><translation>激活 %1</translation></message>
    <message><source>the gradient {}</source><translation>梯度 %1</translation></message>
    <message><source>the gradient</source><translation>梯度</translation></message>
    <message><source>the parameter {}</source><translation>参数 %1</translation></message>
    <message><source>plumbline check tells all of it.</source><translation>plumbline check 会列出全部问题。</translation></message>
    <message><source>Stopped while copying</source><translation>在复制时停止</translation></message>
    <message><source> is there already</source><translation>已经存在</translation></message>
    <message><source>Choose another folder; nothing was overwritten.</source><translation>请选择另一个文件夹；没有覆盖任何内容。</translation></message>
    <message><source>The edit does not fit the project as it is now: {}</source><translation>该编辑与项目现在的内容不符：%1</translation></message>
    <message><source>Choose a CSV table, an IDX file of images with its labels beside it, or a folder with one folder of images a class.</source><translation>请选择 CSV 表格、旁边有标签的 IDX 图像文件，或每个类别一个图像文件夹的文件夹。</translation></message>
    <message><source>Choose the file of the images; its labels are looked for beside it.</source><translation>请选择图像的文件；标签会在它旁边查找。</translation></message>
    <message><source>holds {} labels and {} holds {} images</source><translation>有 %1 个标签，而 %2 有 %3 幅图像</translation></message>
    <message><source>Choose the labels that belong to these images, together with them.</source><translation>请把属于这些图像的标签与它们一起选择。</translation></message>
    <message><source>is one half of an IDX pair, and the other half is not beside it</source><translation>是 IDX 文件对的一半，而另一半不在它旁边</translation></message>
    <message><source>Choose images and labels together.</source><translation>请同时选择图像和标签。</translation></message>
    <message><source>is a single image</source><translation>是单幅图像</translation></message>
    <message><source>Choose the folder that holds one folder of images a class.</source><translation>请选择每个类别一个图像文件夹的文件夹。</translation></message>
    <message><source>is a spreadsheet or an archive</source><translation>是电子表格或压缩包</translation></message>
    <message><source>Save the sheet as CSV, or unpack the archive, and choose that.</source><translation>请把表格存为 CSV，或解压压缩包，然后选择它。</translation></message>
    <message><source>is neither a table nor an IDX file</source><translation>既不是表格也不是 IDX 文件</translation></message>
    <message><source>already is a project</source><translation>已经是一个项目</translation></message>
    <message><source>Open it instead.</source><translation>请直接打开它。</translation></message>
    <message><source>holds {} tables</source><translation>中有 %1 个表格</translation></message>
    <message><source>Choose one of them, {} for instance.</source><translation>请选择其中之一，例如 %1。</translation></message>
    <message><source>holds images, but no folders that say what they show</source><translation>中有图像，但没有说明其内容的文件夹</translation></message>
    <message><source>Put the images of each class into a folder named after it, and choose the folder above.</source><translation>请把每个类别的图像放进以类别命名的文件夹，再选择上一级文件夹。</translation></message>
    <message><source>holds folders of classes, {} for instance</source><translation>中有类别文件夹，例如 %1</translation></message>
    <message><source>Choose {}; training, validation and test are split from it.</source><translation>请选择 %1；训练、验证和测试由它划分。</translation></message>
    <message><source>holds no table, IDX file or folders of images</source><translation>中没有表格、IDX 文件或图像文件夹</translation></message>
    <message><source>No file was chosen</source><translation>没有选择文件</translation></message>
    <message><source>{} files are too many to start from</source><translation>%1 个文件太多，无法以此开始</translation></message>
    <message><source>Choose one table, one folder, or an IDX file of images with its labels.</source><translation>请选择一个表格、一个文件夹，或带标签的 IDX 图像文件。</translation></message>
    <message><source>holds no table of at least two columns</source><translation>中没有至少两列的表格</translation></message>
    <message><source>A table has its columns separated by commas, semicolons or tabs, one row a sample.</source><translation>表格的列用逗号、分号或制表符分隔，每个样本一行。</translation></message>
    <message><source>is not UTF-8 text</source><translation>不是 UTF-8 文本</translation></message>
    <message><source>Save the table as a CSV file in UTF-8.</source><translation>请把表格存为 UTF-8 的 CSV 文件。</translation></message>
    <message><source>unnamed: 0</source><translation>unnamed: 0</translation></message>
    <message><source>The column "{}" cannot be predicted: {}</source><translation>"%1" 列无法预测：%2</translation></message>
    <message><source>it has no values</source><translation>它没有值</translation></message>
    <message><source>it has the same value in every row</source><translation>它在每一行的值都相同</translation></message>
    <message><source>Choose another target.</source><translation>请选择另一个目标。</translation></message>
    <message><source>{} has no column that could be predicted</source><translation>%1 没有可以预测的列</translation></message>
    <message><source>A target is a number, or a text that comes back in several rows.</source><translation>目标是数字，或在多行中重复出现的文本。</translation></message>
    <message><source>The column "{}" holds numbers that are no classes: {} different ones in {} rows</source><translation>"%1" 列的数字不是类别：%3 行中有 %2 种</translation></message>
    <message><source>The column "{}" has {} different texts in {} rows, too many to be classes</source><translation>"%1" 列在 %3 行中有 %2 种文本，太多而不能作为类别</translation></message>
    <message><source>Predict it as a number.</source><translation>请把它作为数值预测。</translation></message>
    <message><source>The column "{}" holds "{}" in row {}, which is no number</source><translation>"%1" 列的第 %3 行是 "%2"，它不是数字</translation></message>
    <message><source>The column "{}" holds text, which is no number</source><translation>"%1" 列是文本，不是数字</translation></message>
    <message><source>Predict it as a class, or choose another target.</source><translation>请把它作为类别预测，或选择另一个目标。</translation></message>
    <message><source>Correct the value, or choose another target.</source><translation>请改正该值，或选择另一个目标。</translation></message>
    <message><source>No column is left to predict "{}" from</source><translation>没有剩下可用来预测 "%1" 的列</translation></message>
    <message><source>Use at least one other column as an input.</source><translation>请至少用另一列作为输入。</translation></message>
    <message><source>left out: it has no values</source><translation>不使用：没有值</translation></message>
    <message><source>left out: the same value in every row</source><translation>不使用：每一行的值都相同</translation></message>
    <message><source>left out: it numbers the rows</source><translation>不使用：它是行号</translation></message>
    <message><source>left out by choice</source><translation>按您的选择不使用</translation></message>
    <message><source>left out: "{}" in row {} is no number</source><translation>不使用：第 %2 行的 "%1" 不是数字</translation></message>
    <message><source>left out: {} different texts</source><translation>不使用：%1 种不同的文本</translation></message>
    <message><source>{} different texts</source><translation>%1 种不同的文本</translation></message>
    <message><source>{} gaps are filled with the median</source><translation>%1 处空缺用中位数填补</translation></message>
    <message><source>{} gaps are filled with the most frequent text</source><translation>%1 处空缺用最常见的文本填补</translation></message>
    <message><source>{} rows without it are left out</source><translation>略去缺少它的 %1 行</translation></message>
    <message><source>A target is predicted as classes or as number, not as "{}"</source><translation>目标按 classes 或 number 预测，而不是 "%1"</translation></message>
    <message><source>The template "{}" does not fit this data</source><translation>模板 "%1" 不适合这些数据</translation></message>
    <message><source>Those that do: {}.</source><translation>适合的有：%1。</translation></message>
    <message><source>Add samples.</source><translation>请增加样本。</translation></message>
    <message><source>Images have their label as target, and no columns to choose from</source><translation>图像以标签为目标，没有可选的列</translation></message>
    <message><source>Leave the target out.</source><translation>请去掉目标。</translation></message>
    <message><source>The labels of {} are {}</source><translation>%1 的标签是 %2</translation></message>
    <message><source>Leave the task out.</source><translation>请去掉任务。</translation></message>
    <message><source>{} holds a single class, "{}"</source><translation>%1 只有一个类别 "%2"</translation></message>
    <message><source>Two classes or more can be told apart; add images of another one.</source><translation>两个或更多类别才能区分；请增加另一类别的图像。</translation></message>
    <message><source>{} from {}</source><translation>来自 %2 的 %1</translation></message>
    <message><source>A number</source><translation>数字</translation></message>
    <message><source>a table of {} rows and {} columns</source><translation>%1 行、%2 列的表格</translation></message>
    <message><source>of different sizes</source><translation>大小不同</translation></message>
    <message><source>of {} × {}</source><translation>大小为 %1 × %2</translation></message>
    <message><source>of {} values</source><translation>每个 %1 个值</translation></message>
    <message><source>{} images {} with a number each</source><translation>%1 幅图像（%2），各带一个数值</translation></message>
    <message><source>{} images {} in {} classes</source><translation>%1 幅图像（%2），共 %3 个类别</translation></message>
    <message><source>Check the path, its permissions and the disk.</source><translation>请检查路径、其权限和磁盘。</translation></message>
    <message><source>its folder does not exist</source><translation>它的文件夹不存在</translation></message>
    <message><source>it does not exist</source><translation>它不存在</translation></message>
    <message><source>Make the folder, or choose another one.</source><translation>请创建该文件夹，或选择另一个。</translation></message>
    <message><source>Raise the limit on the size of files (ulimit -f), or choose another disk; everything written before is kept.</source><translation>请提高文件大小的上限（ulimit -f），或选择另一个磁盘；之前写入的内容都已保留。</translation></message>
    <message><source>Name a file.</source><translation>请写出文件名。</translation></message>
    <message><source>Cannot {} {}: a part of its path is a file and no folder</source><translation>无法%1 %2：其路径的一部分是文件而不是文件夹</translation></message>
    <message><source>Its symbolic links lead in a circle; name the file itself.</source><translation>它的符号链接形成了环；请直接写出文件本身。</translation></message>
    <message><source>Choose a shorter path.</source><translation>请选择更短的路径。</translation></message>
    <message><source>Close other programs, or raise the limit on open files (ulimit -n).</source><translation>请关闭其他程序，或提高打开文件数的上限（ulimit -n）。</translation></message>
    <message><source>Close other programs, or use smaller data.</source><translation>请关闭其他程序，或使用更小的数据。</translation></message>
    <message><source>Cannot read {}: it has {} bytes, and at most {} are read</source><translation>无法读取 %1：它有 %2 字节，而至多读取 %3 字节</translation></message>
    <message><source>Check that this is the file you mean.</source><translation>请检查这是不是您要的文件。</translation></message>
    <message><source>Cannot write {}: a text in it is not UTF-8</source><translation>无法写入 %1：其中的文本不是 UTF-8</translation></message>
    <message><source>Write names and values as UTF-8.</source><translation>请用 UTF-8 写名称和值。</translation></message>
    <message><source>the value</source><translation>该值</translation></message>
    <message><source>The path or the value of a setting is not UTF-8</source><translation>设置的路径或值不是 UTF-8</translation></message>
    <message><source>Write it as UTF-8.</source><translation>请用 UTF-8 写。</translation></message>
    <message><source>a record in it is not valid JSON</source><translation>其中一条记录不是有效的 JSON</translation></message>
    <message><source>LibTorch needs {} MiB of memory to load, and this process may have {} in all</source><translation>LibTorch 加载需要 %1 MiB 内存，而该进程总共只能使用 %2</translation></message>
    <message><source>Raise the limit on memory (ulimit -v).</source><translation>请提高内存的上限（ulimit -v）。</translation></message>
    <message><source>The disk does not keep up: from here on values of the run are shown and not stored.</source><translation>磁盘跟不上：从现在起，运行的数值只显示而不保存。</translation></message>
    <message><source>The disk did not keep up: {} values of the run are not stored.</source><translation>磁盘跟不上：该运行有 %1 个数值没有保存。</translation></message>
    <message><source>The run's store is locked by another program; what is to be stored waits in memory.</source><translation>运行的存储被另一个程序锁定；待保存的内容在内存中等待。</translation></message>
    <message><source>The folder of the run was removed while the run was going on: {}</source><translation>运行进行中其文件夹被删除：%1</translation></message>
    <message><source>Train again, and leave the folder alone while a run writes it.</source><translation>请重新训练，并在运行写入时不要动该文件夹。</translation></message>
    <message><source>is out of bounds</source><translation>超出范围</translation></message>
    <message><source>Every class number of a target has to be at least 0 and below the number of the model's classes.</source><translation>目标的每个类别编号必须至少为 0 且小于模型的类别数。</translation></message>
    <message><source>{} compares the output {} of shape [{}] with the target {} of shape [{}] element by element, and they differ.</source><translation>%1 逐元素比较形状为 [%3] 的输出 %2 与形状为 [%5] 的目标 %4，而两者形状不同。</translation></message>
    <message><source>Use CrossEntropyLoss, since the target is a class.</source><translation>目标是类别，请使用 CrossEntropyLoss。</translation></message>
    <message><source>{} holds something else than events, which would be lost</source><translation>%1 里有事件以外的内容，写入会使其丢失</translation></message>
    <message><source>Name a new file, or remove this one.</source><translation>请指定一个新文件，或删除此文件。</translation></message>
    <message><source>{} reads its input [{}] with dim 0, the batch, as time: the samples become one sequence. Set batch_first to true.</source><translation>%1 把输入 [%2] 的第 0 维（批次）当作时间：各样本连成一个序列。请把 batch_first 设为 true。</translation></message>
    <message><source>{} reads its input [{}] with dim 0, the batch, as time: the samples become one sequence and each depends on those before it. Set batch_first to true.</source><translation>%1 把输入 [%2] 的第 0 维（批次）当作时间：各样本连成一个序列，每个样本都依赖前面的样本。请把 batch_first 设为 true。</translation></message>
    <message><source>{} makes the samples of a batch add up to 1, not the classes of a sample: dim {} is the batch. Set dim to the dimension of the classes, as 1.</source><translation>%1 使一个批次的各样本（而非一个样本的各类别）之和为 1：dim %2 是批次维。请把 dim 设为类别所在的维，例如 1。</translation></message>
    <message><source>The target {} has the class {} (counted from 0), and the output {} tells only {} classes apart.</source><translation>目标 %1 中有类别 %2（从 0 数起），而输出 %3 只区分 %4 个类别。</translation></message>
    <message><source>Give the model {} outputs, or correct the labels.</source><translation>请给模型 %1 个输出，或改正标签。</translation></message>
    <message><source>Resume the run, which goes on from the newest whole checkpoint, or train again.</source><translation>请恢复该运行（从最新的完整检查点继续），或重新训练。</translation></message>
    <message><source>This machine starts {} of the {} threads that are to compute</source><translation>计算需要 %2 个线程，而本机只能启动 %1 个</translation></message>
    <message><source>Lower training.threads, or raise the limits on threads and memory.</source><translation>请减小 training.threads，或提高线程数和内存的上限。</translation></message>
    <message><source>The weights could not be written</source><translation>无法写入权重</translation></message>
    <message><source>TorchScript refused the model</source><translation>TorchScript 拒绝了该模型</translation></message>
    <message><source>a product of at most {} terms</source><translation>至多 %1 项的乘积</translation></message>
    <message><source>a list holds numbers, texts and true or false, and gets {}</source><translation>列表包含数字、文本和 true 或 false，而得到的是%1</translation></message>
    <message><source>{} asks for {} samples in {} classes of {} values, more than {} in all</source><translation>%1 要求 %3 个类别的 %2 个样本、每个 %4 个值，总数超过 %5</translation></message>
    <message><source>Ask for fewer.</source><translation>请要求更少。</translation></message>
    <message><source>This project could not be opened again as it stands, so nothing was saved. {}</source><translation>该项目按现状无法再次打开，因此没有保存任何内容。%1</translation></message>
    <message><source>{} got a prediction of shape [{}] and a target of shape [{}]; broadcasting them would compare every prediction with every target</source><translation>%1 得到形状为 [%2] 的预测和形状为 [%3] 的目标；广播会把每个预测与每个目标比较</translation></message>
    <message><source>A run is training in this window, and another use of LibTorch would change its numbers.</source><translation>此窗口中有运行在训练，而再次使用 LibTorch 会改变它的数字。</translation></message>
    <message><source>Wait for its end or stop it; the run can be resumed.</source><translation>请等它结束或停止它；该运行可以恢复。</translation></message>
    <message><source>Stopped before it began.</source><translation>在开始之前停止。</translation></message>
    <message><source>Drop the samples with these values, or impute them</source><translation>丢弃含这些值的样本，或填补它们</translation></message>
    <message><source>the input </source><translation>输入 %1</translation></message>
    <message><source>Find these samples in the data and drop them or impute the values; the model cannot do anything with them.</source><translation>请在数据中找到这些样本，丢弃它们或填补这些值；模型无法处理它们。</translation></message>
    <message><source>the project</source><translation>项目</translation></message>
    <message><source>{} was changed</source><translation>%1 已被更改</translation></message>
    <message><source>not set</source><translation>未设置</translation></message>
    <message><source>{} is {} now, but the edit was made for {}</source><translation>%1 现在是 %2，而该编辑是针对 %3 的</translation></message>
    <message><source>The edit is not written as RFC 6902 (JSON Patch) wants it</source><translation>该编辑不符合 RFC 6902（JSON Patch）的写法</translation></message>
    <message><source>{} is no longer there, and the edit was made for {}</source><translation>%1 已不存在，而该编辑是针对 %2 的</translation></message>
    <message><source>{} cannot be added: what would hold it is not there</source><translation>无法添加 %1：容纳它的位置不存在</translation></message>
    <message><source>{} is no longer there</source><translation>%1 已不存在</translation></message>
    <message><source>Undo the change made since, or set in the project first what the run was started with (--set). Or make this edit by hand.</source><translation>请撤销此后的更改，或先在项目中设置该运行启动时的值（--set）。也可手动做此编辑。</translation></message>
    <message><source>There is no block named "{}" here.</source><translation>这里没有名为 "%1" 的模块。</translation></message>
    <message><source>There is no block type "{}".</source><translation>没有模块类型 "%1"。</translation></message>
    <message><source>"{}" contains "{}", so it cannot be put into it.</source><translation>"%1" 包含 "%2"，所以不能放进它里面。</translation></message>
    <message><source>Build a new composite from its parts instead.</source><translation>请改用它的各部分新建一个复合模块。</translation></message>
    <message><source>"{}" has no input {}.</source><translation>"%1" 没有第 %2 个输入。</translation></message>
    <message><source>"{}" has no input and output to put into a wire.</source><translation>"%1" 没有可接入连线的输入和输出。</translation></message>
    <message><source>"{}" cannot name an output, or there is one already.</source><translation>"%1" 不能用作输出的名称，或已有同名输出。</translation></message>
    <message><source>"{}" cannot name an input, or there is one already.</source><translation>"%1" 不能用作输入的名称，或已有同名输入。</translation></message>
    <message><source>The clipboard holds no blocks.</source><translation>剪贴板中没有模块。</translation></message>
    <message><source>Copy blocks on the canvas first.</source><translation>请先在画布上复制模块。</translation></message>
    <message><source>Python 3 is missing, which fetches LibTorch.</source><translation>缺少用来获取 LibTorch 的 Python 3。</translation></message>
    <message><source>Install it (Debian, Ubuntu: sudo apt install python3 python3-pip) and run this again.</source><translation>请安装它（Debian、Ubuntu：sudo apt install python3 python3-pip）后再试一次。</translation></message>
    <message><source>The disk is full: {} could not be written ({}).</source><translation>磁盘已满：无法写入 %1（%2）。</translation></message>
    <message><source>Make room, or point XDG_CACHE_HOME to another disk, and run this again: what has come down is kept.</source><translation>请腾出空间，或把 XDG_CACHE_HOME 指向另一个磁盘，然后再试一次：已下载的内容都已保留。</translation></message>
    <message><source>{} could not be written ({}).</source><translation>无法写入 %1（%2）。</translation></message>
    <message><source>Check who owns the folder, or point XDG_CACHE_HOME to one you may write to.</source><translation>请检查该文件夹属于谁，或把 XDG_CACHE_HOME 指向您可以写入的文件夹。</translation></message>
    <message><source>{} has {} free, and LibTorch needs {}.</source><translation>%1 还有 %2 可用，而 LibTorch 需要 %3。</translation></message>
    <message><source>Make room, or point XDG_CACHE_HOME to another disk.</source><translation>请腾出空间，或把 XDG_CACHE_HOME 指向另一个磁盘。</translation></message>
    <message><source>LibTorch {} is not here: {} to download.</source><translation>这里没有 LibTorch %1：需要下载 %2。</translation></message>
    <message><source>Say --yes to fetch it without being asked.</source><translation>使用 --yes 可不经询问直接获取。</translation></message>
    <message><source>Nothing was downloaded.</source><translation>没有下载任何内容。</translation></message>
    <message><source>Set PLUMBLINE_LIBTORCH to use a LibTorch that you have.</source><translation>请设置 PLUMBLINE_LIBTORCH 以使用您已有的 LibTorch。</translation></message>
    <message><source>The wheels unpacked without the libraries that were expected.</source><translation>wheel 已解包，但缺少应有的库。</translation></message>
    <message><source>Report this to Plumbline: its list of wheels is wrong.</source><translation>请向 Plumbline 报告：它的 wheel 列表有误。</translation></message>
    <message><source>PLUMBLINE_LIBTORCH is {}, but no lib/libtorch_cpu.so lies there.</source><translation>PLUMBLINE_LIBTORCH 是 %1，但那里没有 lib/libtorch_cpu.so。</translation></message>
    <message><source>Point it to the folder that holds LibTorch's include/ and lib/, or unset it.</source><translation>请把它指向含有 LibTorch 的 include/ 和 lib/ 的文件夹，或取消设置。</translation></message>
    <message><source>LibTorch {} is not in {}.</source><translation>LibTorch %1 不在 %2 中。</translation></message>
    <message><source>Run fetch-libtorch to fetch it.</source><translation>请运行 fetch-libtorch 来获取它。</translation></message>
    <message><source>There is no LibTorch to fetch for {} on {}.</source><translation>没有适用于 %2 上 %1 的 LibTorch 可获取。</translation></message>
    <message><source>Set PLUMBLINE_LIBTORCH to one that you have.</source><translation>请把 PLUMBLINE_LIBTORCH 设为您已有的 LibTorch。</translation></message>
    <message><source>Stopped before LibTorch was whole.</source><translation>LibTorch 尚未完整就已停止。</translation></message>
    <message><source>Run this again to go on where it stopped: what has come down is kept.</source><translation>再试一次即可从中断处继续：已下载的内容都已保留。</translation></message>
    <message><source>{} came down with a wrong SHA-256 and was thrown away.</source><translation>下载到的 %1 的 SHA-256 不符，已丢弃。</translation></message>
    <message><source>A proxy or mirror may have changed it: check pip's index-url, or try on another network.</source><translation>可能是代理或镜像改动了它：请检查 pip 的 index-url，或换一个网络再试。</translation></message>
    <message><source>{} could not be had from the package index ({}).</source><translation>无法从软件包索引取得 %1（%2）。</translation></message>
    <message><source>Check the network and pip's settings (index-url, proxy, cert), and run this again: what has come down is kept.</source><translation>请检查网络和 pip 的设置（index-url、proxy、cert），然后再试一次：已下载的内容都已保留。</translation></message>
    <message><source>{} is not a list of wheels ({}).</source><translation>%1 不是 wheel 列表（%2）。</translation></message>
    <message><source>Install Plumbline again: this file belongs to it.</source><translation>请重新安装 Plumbline：该文件是它的一部分。</translation></message>
    <message><source>pip for Python 3 is missing, which knows where packages come from.</source><translation>缺少 Python 3 的 pip，它知道软件包从何处取得。</translation></message>
    <message><source>Install it (Debian, Ubuntu: sudo apt install python3-pip) and run this again.</source><translation>请安装它（Debian、Ubuntu：sudo apt install python3-pip）后再试一次。</translation></message>
    <message><source>pip could not read its settings ({}).</source><translation>pip 无法读取它的设置（%1）。</translation></message>
    <message><source>See what `python3 -m pip config list` says.</source><translation>请查看 `python3 -m pip config list` 的输出。</translation></message>
    <message><source>{} holds a path outside itself ({}).</source><translation>%1 含有指向自身之外的路径（%2）。</translation></message>
    <message><source>Do not use it; report this to Plumbline.</source><translation>请勿使用它；请向 Plumbline 报告。</translation></message>
    <message><source>{} could not be unpacked ({}).</source><translation>无法解包 %1（%2）。</translation></message>
    <message><source>Delete {} and run this again.</source><translation>请删除 %1 后再试一次。</translation></message>
    <message><source>promises 0 samples</source><translation>不含任何样本</translation></message>
    <message><source>Choose a file that holds some, or get it anew.</source><translation>请选择含有样本的文件，或重新获取它。</translation></message>
    <message><source>{}: {} images of 16-bit gray hold values above 255, which became 255; save them with 8 bits</source><translation>%1：%2 张 16 位灰度图像含有大于 255 的值，它们被截为 255；请以 8 位保存</translation></message>
    <message><source>Only {:.1f} of {} cores are busy, and the data are in memory: the workers wait for each other, or for cores that other programs use.</source><translation>%2 个核心中只有 %1 个在忙，而数据在内存中：工作线程在互相等待，或在等待被其他程序占用的核心。</translation></message>
    <message><source>it ends too early</source><translation>它过早结束</translation></message>
    <message><source>libpng has no memory for it</source><translation>libpng 没有足够的内存处理它</translation></message>
    <message><source>Shorten the warm-up, or let scheduler.unit be "step" if it was meant in steps.</source><translation>请缩短预热；如果本意是按步计算，请把 scheduler.unit 设为 "step"。</translation></message>
    <message><source>Shorten the warm-up.</source><translation>请缩短预热。</translation></message>
    <message><source>{} has to be a list of numbers that are not negative, one a class</source><translation>%1 必须是非负数的列表，每个类别一个</translation></message>
    <message><source>Give one number a class, as [1, 2.5].</source><translation>请为每个类别给出一个数，例如 [1, 2.5]。</translation></message>
    <message><source>All numbers of {} are 0, so nothing would count</source><translation>%1 的所有数都是 0，因此没有任何样本会被计入</translation></message>
    <message><source>Give at least one class a weight above 0.</source><translation>请至少为一个类别给出大于 0 的权重。</translation></message>
    <message><source>small enough for a float32</source><translation>float32 能表示的数</translation></message>
    <message><source>{} has {} numbers and the output "{}" tells {} classes apart. Give one number a class.</source><translation>%1 有 %2 个数，而输出 "%3" 区分 %4 个类别。请为每个类别给出一个数。</translation></message>
    <message><source>each batch is twice as large as needed and is converted before every step</source><translation>每个批次都比所需大一倍，并且在每一步之前都要转换</translation></message>
    <message><source>each batch is converted before every step, and fractions are cut off</source><translation>每个批次在每一步之前都要转换，小数部分会被截去</translation></message>
    <message><source>each batch is converted before every step</source><translation>每个批次在每一步之前都要转换</translation></message>
    <message><source>{} ({}) expects {} and gets {} at step {}: {}. Convert the input once, in data.</source><translation>%1（%2）期望 %3，而在第 %5 步得到 %4：%6。请在 data 中一次性转换输入。</translation></message>
    <message><source>Give the input as {}</source><translation>以 %1 给出输入</translation></message>
    <message><source>Give the input {} as {}</source><translation>以 %2 给出输入 %1</translation></message>
    <message><source>At step {} (epoch {}, batch {}) {}{} {}</source><translation>在第 %1 步（第 %2 轮，批次 %3），%4%5 %6</translation></message>
    <message><source>At step {} (epoch {}, in validation) the loss is {}. Check the values of the validation split, lower the learning rate, or clip the gradient.</source><translation>在第 %1 步（第 %2 轮，在验证中），损失是 %3。请检查验证划分的值，降低学习率，或裁剪梯度。</translation></message>
    <message><source>step {} (epoch {}, batch {})</source><translation>第 %1 步（第 %2 轮，批次 %3）</translation></message>
    <message><source>, and it is the first place where that is so.</source><translation>，这是最先出现的地方。</translation></message>
    <message><source> before anything was trained.</source><translation>，此时尚未训练。</translation></message>
    <message><source> before its forward pass.</source><translation>，在其前向传播之前。</translation></message>
    <message><source>: the update of {} left it so.</source><translation>：是%1的更新造成的。</translation></message>
    <message><source>: an update from {} to {}, between which gradients were not looked at, left it so.</source><translation>：是从%1到%2之间的某次更新造成的，其间没有检查梯度。</translation></message>
    <message><source>: an update up to {} left it so.</source><translation>：是到%1为止的某次更新造成的。</translation></message>
    <message><source>The name or note of the run is not UTF-8 text</source><translation>运行的名称或备注不是 UTF-8 文本</translation></message>
    <message><source>Write it anew.</source><translation>请重新书写。</translation></message>
    <message><source>a record in it</source><translation>其中的一条记录</translation></message>
    <message><source>a record in it is not valid JSON: </source><translation>其中的一条记录不是有效的 JSON：</translation></message>
    <message><source>{} shares the weights of {}, which this part of the model does not hold</source><translation>%1 共享 %2 的权重，而模型的这一部分不包含它</translation></message>
    <message><source>{} shares the weights of {} and differs from it in other settings</source><translation>%1 共享 %2 的权重，但其他设置与之不同</translation></message>
    <message><source>Give both the same parameters and modes, or export as torchscript.</source><translation>请为两者给出相同的参数和模式，或以 torchscript 导出。</translation></message>
    <message><source>BCEWithLogitsLoss has {} numbers in pos_weight for {} classes.</source><translation>BCEWithLogitsLoss 的 pos_weight 有 %1 个数，而类别有 %2 个。</translation></message>
    <message><source>Give one number a class.</source><translation>请为每个类别给出一个数。</translation></message>
    <message><source>The checkpoint has version {}, this program reads up to version {}.</source><translation>检查点的版本是 %1，本程序最高只能读取版本 %2。</translation></message>
    <message><source>{} has no effect in this run: every group of parameters has a value of its own.</source><translation>%1 在这次运行中不起作用：每个参数组都有自己的值。</translation></message>
    <message><source>{} has no effect in this run: its clipping is {}.</source><translation>%1 在这次运行中不起作用：它的裁剪方式是 %2。</translation></message>
    <message><source>Set training.clip.type to {} for the next run.</source><translation>请为下次运行把 training.clip.type 设为 %1。</translation></message>
    <message><source>Change the groups' values: the next run takes them.</source><translation>请更改各组的值：下次运行会采用它们。</translation></message>
    <message><source>above {}</source><translation>大于 %1</translation></message>
    <message><source>below {}</source><translation>小于 %1</translation></message>
    <message><source>above {} and below {}</source><translation>大于 %1 且小于 %2</translation></message>
    <message><source>above {} and at most {}</source><translation>大于 %1 且至多 %2</translation></message>
    <message><source>at least {} and below {}</source><translation>至少 %1 且小于 %2</translation></message>
    <message><source>The exported training sees the samples without augmentation.</source><translation>导出的训练看到的样本未经数据增强。</translation></message>
    <message><source>; without augmentation</source><translation>；未经数据增强</translation></message>
    <message><source>The memory of this machine is exhausted.</source><translation>本机的内存已耗尽。</translation></message>
    <message><source>Close other programs and try again.</source><translation>请关闭其他程序后重试。</translation></message>
    <message><source>This did not work: </source><translation>这没有成功：</translation></message>
    <message><source>Try again; save under another name if it stays.</source><translation>请重试；如果仍然如此，请以另一个名称保存。</translation></message>
    <message><source>No input is given</source><translation>没有给出输入</translation></message>
    <message><source>sample {} of "{}"</source><translation>"%2" 的样本 %1</translation></message>
    <message><source>Name an image file, or a sample of a split, "test:0" for instance.</source><translation>请给出一个图像文件，或某个划分的样本，例如 "test:0"。</translation></message>
    <message><source>holds one number a sample, which is no image</source><translation>每个样本只含一个数，不是图像</translation></message>
    <message><source>has the dims {}, which are no images</source><translation>的维度为 %1，不是图像</translation></message>
    <message><source>has the dims {}, and labels are one number a sample</source><translation>的维度为 %1，而标签是每个样本一个数</translation></message>
    <message><source>is packed with gzip and holds no IDX data</source><translation>是 gzip 压缩文件，其中没有 IDX 数据</translation></message>
    <message><source>Unpack it with gunzip, and choose what comes out.</source><translation>请用 gunzip 解压，然后选择解压出的文件。</translation></message>
    <message><source>{}: folders inside the folders of classes were left out ({} of them); a class is one folder of images</source><translation>%1：类别文件夹内的子文件夹未被读取（共 %2 个）；一个类别是一个图像文件夹</translation></message>
    <message><source>{} holds no image itself, its folder {} does</source><translation>%1 本身没有图像，图像在其子文件夹 %2 中</translation></message>
    <message><source>A class is one folder of images: move them up into it.</source><translation>一个类别是一个图像文件夹：请把图像上移到其中。</translation></message>
    <message><source>It takes {}, in this order or as name=value each.</source><translation>需要 %1，可按此顺序给出，或逐个写成 name=value。</translation></message>
    <message><source>It takes {}, in this order or as name=value each. For example: {}</source><translation>需要 %1，可按此顺序给出，或逐个写成 name=value。例如：%2</translation></message>
    <message><source>is missing</source><translation>缺失</translation></message>
    <message><source>Write decimals with a comma, as the file does.</source><translation>请像文件中那样用逗号作小数点。</translation></message>
    <message><source>The value of "{}" is given twice</source><translation>"%1" 的值给了两次</translation></message>
    <message><source>Leave one out.</source><translation>请去掉其中一个。</translation></message>
    <message><source>{} values are not given: {}</source><translation>有 %1 个值没有给出：%2</translation></message>
    <message><source>The rows of {} have {} values, and the model takes {}</source><translation>%1 的每行有 %2 个值，而模型需要 %3 个</translation></message>
    <message><source>{}, row {}</source><translation>%1 第 %2 行</translation></message>
    <message><source>{}, row {}, column "{}"</source><translation>%1 第 %2 行 "%3" 列</translation></message>
    <message><source>{}: 1 of {} rows was dropped because of missing values</source><translation>%1：%2 行中有 1 行因缺失值被丢弃</translation></message>
    <message><source>{}: the whole number {:.0f} becomes {:.0f}</source><translation>%1：整数 %2 变为 %3</translation></message>
    <message><source>{} as a float32, which tells whole numbers apart up to 16777216 only; {} are rounded so</source><translation>%1（float32 只能区分到 16777216 为止的整数）；共有 %2 个值被这样舍入</translation></message>
    <message><source>{}: {} is beyond what a float32 can hold, 3.4e+38</source><translation>%1：%2 超出 float32 所能表示的范围（3.4e+38）</translation></message>
    <message><source>{}: the transforms bring the value beyond what a float32 can hold, 3.4e+38</source><translation>%1：变换使该值超出 float32 所能表示的范围（3.4e+38）</translation></message>
    <message><source>Correct the value, or give the column in a larger unit.</source><translation>请改正该值，或以更大的单位给出该列。</translation></message>
    <message><source>Correct the value, or the transforms.</source><translation>请改正该值，或改正变换。</translation></message>
    <message><source>{}: 1 missing value of "{}" was filled with {}</source><translation>%1："%2" 的 1 个缺失值已用 %3 填充</translation></message>
    <message><source>{}: 1 missing value of "{}" was filled with "{}"</source><translation>%1："%2" 的 1 个缺失值已用 "%3" 填充</translation></message>
    <message><source>Give the number of a sample, from 0 to {}.</source><translation>请给出样本的编号，从 0 到 %1。</translation></message>
    <message><source>The warm-up takes {} and the run {}, so the learning rate never gets to {}.</source><translation>预热需要 %1，而训练只有 %2，因此学习率永远达不到 %3。</translation></message>
    <message><source>1 gap is filled with the median</source><translation>1 个空缺用中位数填充</translation></message>
    <message><source>1 gap is filled with the most frequent text</source><translation>1 个空缺用最常见的文本填充</translation></message>
    <message><source>1 row without it is left out</source><translation>缺少它的 1 行被略去</translation></message>
    <message><source>{} holds {}, and fewer than {} cannot be split and learned from</source><translation>%1 含有 %2，少于 %3 个样本无法划分和学习</translation></message>
    <message><source>plumbline settings lists all of them.</source><translation>plumbline settings 会列出全部设置。</translation></message>
    <message><source>{} does not exist: the list has {}</source><translation>%1 不存在：列表有 %2</translation></message>
    <message><source>A run cannot be named "{}": {}</source><translation>运行不能命名为 "%1"：%2</translation></message>
    <message><source>The name of a run has to be UTF-8 text</source><translation>运行的名称必须是 UTF-8 文本</translation></message>
    <message><source>a name has no line breaks or other control characters</source><translation>名称中不能有换行或其他控制字符</translation></message>
    <message><source>the word names the latest or the best run already</source><translation>该词已用来指最新或最佳的运行</translation></message>
    <message><source>what begins with - is an option of a command</source><translation>以 - 开头的是命令的选项</translation></message>
    <message><source>a space at an end of it would not be seen</source><translation>首尾的空格无法看出</translation></message>
    <message><source>it is too long</source><translation>它太长</translation></message>
    <message><source>Run {} has no checkpoint "{}"</source><translation>运行 %1 没有检查点 "%2"</translation></message>
    <message><source>There is no device "{}".</source><translation>没有设备 "%1"。</translation></message>
    <message><source>Choose auto, cpu or cuda:0 and up.</source><translation>请选择 auto、cpu 或 cuda:0 等。</translation></message>
    <message><source>Reached the limit of {} in epoch {} of {}.</source><translation>在 %3 轮中的第 %2 轮达到 %1 的上限。</translation></message>
    <message><source>Trained for {}, {}.</source><translation>训练了 %1，共 %2。</translation></message>
    <message><source>after {}, in epoch {} of {}</source><translation>在 %1 之后，%3 轮中的第 %2 轮</translation></message>
    <message><source>The best checkpoint cannot be used: {}.</source><translation>最佳检查点不可用：%1。</translation></message>
    <message><source>The best checkpoint, of step {}, is lost: it is not there any more.</source><translation>第 %1 步的最佳检查点已丢失：文件不在了。</translation></message>
    <message><source>The best checkpoint, of step {}, is damaged, and kept as best.ckpt.damaged.</source><translation>第 %1 步的最佳检查点已损坏，保留为 best.ckpt.damaged。</translation></message>
    <message><source> The newest one, of step {}, takes its place.</source><translation>第 %1 步的最新检查点取而代之。</translation></message>
    <message><source> The next one that is judged takes its place.</source><translation>下一个经过评定的检查点将取而代之。</translation></message>
    <message><source>The device cannot be used</source><translation>设备无法使用</translation></message>
    <message><source>{} epoch</source><translation>%1 轮</translation></message>
    <message><source>1 validation</source><translation>1 次验证</translation></message>
    <message><source>{} validations</source><translation>%1 次验证</translation></message>
    <message><source>{} epochs</source><translation>%1 轮</translation></message>
    <message><source>{} step</source><translation>%1 步</translation></message>
    <message><source>{} steps</source><translation>%1 步</translation></message>
    <message><source>{} sample</source><translation>%1 个样本</translation></message>
    <message><source>{} samples</source><translation>%1 个样本</translation></message>
    <message><source>{} entry</source><translation>%1 项</translation></message>
    <message><source>{} entries</source><translation>%1 项</translation></message>
    <message><source>{} sets values of the output {} to zero before {} compares them: while training, answers are wrong by chance and what is learned about them is lost. Put it before the last layer, or remove it.</source><translation>%1 在 %3 比较之前把输出 %2 的一些值置零：训练时答案会随机出错，由此学到的也会丢失。请把它放到最后一层之前，或将它删除。</translation></message>
    <message><source>Put {} before {}</source><translation>把 %1 放到 %2 之前</translation></message>
    <message><source>No loss reaches a parameter that is trained, so nothing can be learned. Connect a trained block to an output that a loss reads.</source><translation>没有损失能到达任何要训练的参数，因此什么也学不到。请把一个要训练的模块连接到某个损失所读取的输出。</translation></message>
    <message><source>No loss reaches a parameter that is trained, so nothing can be learned: gradients stop at {}.</source><translation>没有损失能到达任何要训练的参数，因此什么也学不到：梯度在 %1 处中断。</translation></message>
    <message><source>Leave the batch of {} open</source><translation>让 %1 的批次大小不固定</translation></message>
    <message><source>The model's input {} has a fixed batch of {}, and the loader makes batches of {}. Write "B" as its first dimension, or set data.loader.batch_size to {}.</source><translation>模型的输入 %1 的批次固定为 %2，而加载器给出的批次是 %3。请把它的第一维写成 "B"，或把 data.loader.batch_size 设为 %4。</translation></message>
    <message><source>The input {} has the id {:.0f}, and {} looks ids up in a table of {}, from 0 to {}.</source><translation>输入 %1 含有编号 %2，而 %3 的查找表有 %4 行，编号从 0 到 %5。</translation></message>
    <message><source>Correct the ids: a table begins at 0.</source><translation>请改正编号：查找表从 0 开始。</translation></message>
    <message><source>Set num_embeddings to {:.0f} or more, or correct the ids.</source><translation>请把 num_embeddings 设为 %1 或更大，或改正编号。</translation></message>
    <message><source>The model's input {} has a fixed batch of {}, and a batch of the {} split, of {} samples, has {}.</source><translation>模型的输入 %1 的批次固定为 %2，而 %3 划分（%4 个样本）中有一个批次是 %5。</translation></message>
    <message><source>Write "B" as the input's first dimension.</source><translation>请把该输入的第一维写成 "B"。</translation></message>
    <message><source>The last batch of the {} split, of {} samples, has {}, and {} ({}) cannot normalise over a single value.</source><translation>%1 划分（%2 个样本）的最后一个批次只有 %3 个样本，而 %4（%5）无法对单个值做归一化。</translation></message>
    <message><source>Set data.loader.drop_last to true, or change batch_size.</source><translation>请把 data.loader.drop_last 设为 true，或更改 batch_size。</translation></message>
    <message><source>Change batch_size, or the shares of the splits.</source><translation>请更改 batch_size，或各划分的比例。</translation></message>
    <message><source>{} {} had a gradient of exactly zero in each of the {} applied steps up to step {}, at a learning rate of {:g}: weight decay or leftover momentum alone still moves the values. {}</source><translation>%1 在第 %4 步之前的 %3 次更新中梯度每次都恰好为零，学习率为 %5：只有权重衰减或残余的动量还在改变这些值。%6</translation></message>
    <message><source>Look for a dead activation or a dropout of everything behind it, or for a loss that weighs nothing.</source><translation>请检查其后是否有失效的激活函数或丢弃一切的 Dropout，或者损失的权重是否为零。</translation></message>
    <message><source>Over the {} steps up to step {} the loss is {} (median) and does not fall, {} times {} of {}: training has diverged. Lower the learning rate of {:g}, or clip the gradient.</source><translation>到第 %2 步为止的 %1 步中，损失（中位数）为 %3 且没有下降，是%5 %6 的 %4 倍：训练已经发散。请降低学习率（现为 %7），或裁剪梯度。</translation></message>
    <message><source>Over the {} steps up to step {} the loss is {} (median) and does not fall, {} times {} of {}: training has diverged. Lower the learning rate, or clip the gradient.</source><translation>到第 %2 步为止的 %1 步中，损失（中位数）为 %3 且没有下降，是%5 %6 的 %4 倍：训练已经发散。请降低学习率，或裁剪梯度。</translation></message>
    <message><source>the first step's loss</source><translation>第一步的损失</translation></message>
    <message><source>the loss of saying the same for every sample</source><translation>对每个样本都给出同一回答的损失</translation></message>
    <message><source>Minimise the loss</source><translation>让损失最小化</translation></message>
    <message><source>The environment variable {} is "{}", which the thread library does not understand; it is ignored. Correct or unset it.</source><translation>环境变量 %1 的值是 "%2"，线程库无法识别，已忽略。请改正或取消设置它。</translation></message>
    <message><source>Expected more than 1 value per channel when training</source><translation>训练时每个通道需要多于 1 个值</translation></message>
    <message><source>Expected a batch and got a single number.</source><translation>需要一个批次，却得到单个数字。</translation></message>
    <message><source>the id {} is not in its table of {}, from 0 to {}</source><translation>编号 %1 不在它的查找表中（%2 行，从 0 到 %3）</translation></message>
    <message><source>is not in its table</source><translation>不在它的查找表中</translation></message>
    <message><source>Set num_embeddings above the largest id, or correct the ids.</source><translation>请让 num_embeddings 大于最大的编号，或改正编号。</translation></message>
    <message><source>Make the batch larger, or drop the last, smaller one.</source><translation>请增大批次，或丢弃最后较小的批次。</translation></message>
    <message><source>The loss does not depend on any parameter that is trained: gradients are stopped on the way, or all of its blocks are frozen.</source><translation>损失不依赖任何要训练的参数：梯度在途中被截断，或者相关的模块都被冻结了。</translation></message>
    <message><source>Remove what stops them, as a Detach block or a pattern of training.no_grad, or connect a trained block to an output that a loss reads.</source><translation>请删除截断梯度的模块（如 Detach）或 training.no_grad 的模式，或把一个要训练的模块连接到某个损失所读取的输出。</translation></message>
    <message><source>LibTorch warns: {}.</source><translation>LibTorch 警告：%1。</translation></message>
    <message><source>Choose another split.</source><translation>请选择另一个划分。</translation></message>
    <message><source>softmax or sigmoid</source><translation>softmax 或 sigmoid</translation></message>
    <message><source>Make {} a {}</source><translation>把 %1 改为 %2</translation></message>
    <message><source>{} takes probabilities, and the output {} comes from {} ({}), which gives other numbers.</source><translation>%1 需要概率，而输出 %2 来自 %3（%4），它给出的是别的数值。</translation></message>
    <message><source>{} takes logarithms of probabilities, and the output {} comes from {} ({}), which gives other numbers.</source><translation>%1 需要概率的对数，而输出 %2 来自 %3（%4），它给出的是别的数值。</translation></message>
    <message><source>Put Sigmoid behind it, or choose BCEWithLogitsLoss.</source><translation>请在其后加上 Sigmoid，或选择 BCEWithLogitsLoss。</translation></message>
    <message><source>Put LogSoftmax in its place.</source><translation>请用 LogSoftmax 代替它。</translation></message>
    <message><source>Put LogSoftmax behind it.</source><translation>请在其后加上 LogSoftmax。</translation></message>
    <message><source>{} reads "{}", which is no output of the model.</source><translation>%1 读取 "%2"，而它不是模型的输出。</translation></message>
    <message><source>Name one of the model's outputs.</source><translation>请写出模型的一个输出。</translation></message>
    <message><source>{} compares with "{}", which is no target of the data.</source><translation>%1 与 "%2" 比较，而它不是数据的目标。</translation></message>
    <message><source>"{}" at position {} of the formula is both an output of the model and a target of the data.</source><translation>公式第 %2 位的 "%1" 既是模型的输出，又是数据的目标。</translation></message>
    <message><source>Write output.{} or target.{}.</source><translation>请写 output.%1 或 target.%2。</translation></message>
    <message><source>"{}" at position {} of the formula is no output of the model and no target of the data.</source><translation>公式第 %2 位的 "%1" 既不是模型的输出，也不是数据的目标。</translation></message>
    <message><source>Name outputs and targets as the project does.</source><translation>请按项目中的名称书写输出和目标。</translation></message>
    <message><source>The formula of ExpressionLoss names no output of the model, so nothing can be learned from it.</source><translation>ExpressionLoss 的公式没有写出模型的任何输出，因此无法从中学习。</translation></message>
    <message><source>Name one, as mean((y - t) ** 2).</source><translation>请写出一个，例如 mean((y - t) ** 2)。</translation></message>
    <message><source>docs/losses.md lists what a formula may hold.</source><translation>docs/losses.md 列出公式可以包含的内容。</translation></message>
    <message><source>The formula is {} characters long, and at most {} are read.</source><translation>公式长 %1 个字符，最多读取 %2 个。</translation></message>
    <message><source>Shorten it.</source><translation>请缩短它。</translation></message>
    <message><source>ExpressionLoss has no formula.</source><translation>ExpressionLoss 没有公式。</translation></message>
    <message><source>Write one, as mean((y - t) ** 2).</source><translation>请写一个，例如 mean((y - t) ** 2)。</translation></message>
    <message><source>a ")" closes nothing</source><translation>这个 ")" 没有对应的左括号</translation></message>
    <message><source>The formula cannot be read at position {}: {}.</source><translation>公式在第 %1 位无法读取：%2。</translation></message>
    <message><source>the "(" at position {} is not closed</source><translation>第 %1 位的 "(" 没有闭合</translation></message>
    <message><source>this is no number that fits</source><translation>这不是合适的数</translation></message>
    <message><source>it ends where a value is wanted</source><translation>它在需要值的地方结束了</translation></message>
    <message><source>a name</source><translation>一个名称</translation></message>
    <message><source>there is no function "{}"</source><translation>没有函数 "%1"</translation></message>
    <message><source>"," or ")"</source><translation>"," 或 ")"</translation></message>
    <message><source>{} takes {} and got {}</source><translation>%1 需要 %2，而得到 %3 个</translation></message>
    <message><source>{} takes {} or {} values and got {}</source><translation>%1 需要 %2 或 %3 个值，而得到 %4 个</translation></message>
    <message><source>the second value of {} is the number of a dimension</source><translation>%1 的第二个值是维度的编号</translation></message>
    <message><source>{} wants class scores of shape [B, C] and "{}" has shape [{}].</source><translation>%1 需要形状为 [B, C] 的类别得分，而 "%2" 的形状是 [%3]。</translation></message>
    <message><source>{} wants class scores of shape [B, C] alone and "{}" has shape [{}]. Put Flatten before that output, or choose CrossEntropyLoss or BCEWithLogitsLoss.</source><translation>%1 只接受形状为 [B, C] 的类别得分，而 "%2" 的形状是 [%3]。请在该输出之前加上 Flatten，或选择 CrossEntropyLoss 或 BCEWithLogitsLoss。</translation></message>
    <message><source>MultiMarginLoss takes the power 1 or 2, and p is {}. Write 1 or 2.</source><translation>MultiMarginLoss 的幂次为 1 或 2，而 p 是 %1。请写 1 或 2。</translation></message>
    <message><source>CTCLoss wants log-probabilities of shape [B, T, C], a row of classes a frame, and "{}" has shape [{}].</source><translation>CTCLoss 需要形状为 [B, T, C] 的对数概率，每帧一行类别，而 "%1" 的形状是 [%2]。</translation></message>
    <message><source>The blank of CTCLoss is class {} and the output "{}" tells {} classes apart. Set blank to one of them; 0 is usual.</source><translation>CTCLoss 的空白是类别 %1，而输出 "%2" 区分 %3 个类别。请把 blank 设为其中之一；通常是 0。</translation></message>
    <message><source>{} compares outputs of one shape, and "{}" has [{}] and "{}" has [{}]. Give both the same.</source><translation>%1 比较形状相同的输出，而 "%2" 是 [%3]，"%4" 是 [%5]。请使两者相同。</translation></message>
    <message><source>{} compares the output "{}" with itself. Name two outputs.</source><translation>%1 把输出 "%2" 与它自己比较。请写出两个输出。</translation></message>
    <message><source>Correct the labels, or set ignore_index to it where the loss has that.</source><translation>请改正标签；如果该损失有 ignore_index，也可以把它设为该标签。</translation></message>
    <message><source>{} wants targets of -1 and 1, and those of {} go from {} to {}.</source><translation>%1 需要 -1 和 1 的目标，而 %2 的目标从 %3 到 %4。</translation></message>
    <message><source>Write -1 for no and 1 for yes in the data, or choose BCEWithLogitsLoss for 0 and 1.</source><translation>请在数据中用 -1 表示否、1 表示是，或对 0 和 1 选择 BCEWithLogitsLoss。</translation></message>
    <message><source>{} wants targets from 0 to 1, and those of {} go from {} to {}.</source><translation>%1 需要从 0 到 1 的目标，而 %2 的目标从 %3 到 %4。</translation></message>
    <message><source>Scale the target with a transform, or choose MSELoss for a number.</source><translation>请用变换缩放目标，或对数值选择 MSELoss。</translation></message>
    <message><source>Choose CrossEntropyLoss for more than two classes.</source><translation>两个以上的类别请选择 CrossEntropyLoss。</translation></message>
    <message><source>{} wants one number a sample, and the target {} has the shape [{}].</source><translation>%1 需要每个样本一个数，而目标 %2 的形状是 [%3]。</translation></message>
    <message><source>Choose a target of one number a sample.</source><translation>请选择每个样本一个数的目标。</translation></message>
    <message><source>CTCLoss wants a row of whole-number labels a sample, and the target {} is {} of shape [{}].</source><translation>CTCLoss 需要每个样本一行整数标签，而目标 %1 是形状为 [%3] 的 %2。</translation></message>
    <message><source>Give the target several columns and the dtype int64.</source><translation>请给目标多个列，并设 dtype 为 int64。</translation></message>
    <message><source>MultiLabelMarginLoss wants class numbers of the output's shape [{}], and the target {} is {} of shape [{}].</source><translation>MultiLabelMarginLoss 需要与输出形状 [%1] 相同的类别编号，而目标 %2 是形状为 [%4] 的 %3。</translation></message>
    <message><source>Give it a column a class that holds the sample's classes and -1 after the last, or choose MultiLabelSoftMarginLoss for a 0 or 1 a class.</source><translation>请为每个类别给它一列，写入样本的类别，最后一个之后为 -1；或者对每个类别一个 0 或 1 选择 MultiLabelSoftMarginLoss。</translation></message>
    <message><source>{} has no option "{}".</source><translation>%1 没有选项 "%2"。</translation></message>
    <message><source>plumbline settings training.losses lists them.</source><translation>plumbline settings training.losses 会列出它们。</translation></message>
    <message><source>{} at position {} of the formula got shapes {} and {}, which would be compared every one with every other; give both the same shape</source><translation>公式第 %2 位的 %1 得到形状 %3 和 %4，这会把每一个与其他每一个比较；请使两者形状相同</translation></message>
    <message><source>The formula of ExpressionLoss gives {} numbers of shape {}, and a loss is one number.</source><translation>ExpressionLoss 的公式给出形状为 %2 的 %1 个数，而损失是一个数。</translation></message>
    <message><source>Put mean( ) or sum( ) around it.</source><translation>请在外面加上 mean( ) 或 sum( )。</translation></message>
    <message><source>The formula of ExpressionLoss cannot be computed</source><translation>ExpressionLoss 的公式无法计算</translation></message>
    <message><source>Correct the formula, or the shapes of what it names.</source><translation>请改正公式，或它所写内容的形状。</translation></message>
    <message><source>The names of the formula have not been looked up.</source><translation>公式中的名称还没有查找。</translation></message>
    <message><source>GaussianNLLLoss got an output {} and a variance {}; it wants one of the output's shape, or one number for all of the last dimension.</source><translation>GaussianNLLLoss 得到输出 %1 和方差 %2；它需要与输出形状相同的方差，或在整个最后一维上只有一个数。</translation></message>
    <message><source>Give both outputs the same shape.</source><translation>请使两个输出形状相同。</translation></message>
    <message><source>the variance that GaussianNLLLoss was given is below 0 somewhere; make that output positive, as with Sigmoid</source><translation>GaussianNLLLoss 得到的方差有小于 0 的值；请使该输出为正，例如用 Sigmoid</translation></message>
    <message><source>{} got outputs {} and {}; it compares outputs of one shape [B, …, D].</source><translation>%1 得到输出 %2 和 %3；它比较形状同为 [B, …, D] 的输出。</translation></message>
    <message><source>Give the outputs one shape.</source><translation>请使各输出形状相同。</translation></message>
    <message><source>{} got an output {} and a target {}; it wants outputs [B, D] and one number a sample.</source><translation>%1 得到输出 %2 和目标 %3；它需要 [B, D] 的输出和每个样本一个数。</translation></message>
    <message><source>Put Flatten before the outputs, and choose a target of one number a sample.</source><translation>请在输出之前加上 Flatten，并选择每个样本一个数的目标。</translation></message>
    <message><source>MarginRankingLoss got outputs {} and {}; it compares outputs of one shape.</source><translation>MarginRankingLoss 得到输出 %1 和 %2；它比较形状相同的输出。</translation></message>
    <message><source>CTCLoss got an output {} and a target {} of {}; it wants log-probabilities [B, T, C] and labels (int64) [B, S].</source><translation>CTCLoss 得到输出 %1 和 %3 的目标 %2；它需要对数概率 [B, T, C] 和标签（int64）[B, S]。</translation></message>
    <message><source>Let the model's output have a row of classes a frame, and the target a row of labels a sample, filled up with the blank.</source><translation>请让模型的输出每帧有一行类别，目标每个样本有一行标签，用空白填满。</translation></message>
    <message><source>CTCLoss got lengths of shape {}; it wants one whole number a sample.</source><translation>CTCLoss 得到形状为 %1 的长度；它需要每个样本一个整数。</translation></message>
    <message><source>Choose a column of lengths, or leave it out.</source><translation>请选择一列长度，或省略它。</translation></message>
    <message><source>The blank of CTCLoss is class {} and the output tells {} classes apart.</source><translation>CTCLoss 的空白是类别 %1，而输出区分 %2 个类别。</translation></message>
    <message><source>Set blank to one of them; 0 is usual.</source><translation>请把 blank 设为其中之一；通常是 0。</translation></message>
    <message><source>a label of the target is outside 0 to {}, the classes of the output; give the model more of them, or correct the labels</source><translation>目标的一个标签不在输出的类别 0 到 %1 之内；请给模型更多类别，或改正标签</translation></message>
    <message><source>{} has {} numbers in {} for {} classes.</source><translation>%1 的 %3 有 %2 个数，而有 %4 个类别。</translation></message>
    <message><source>{} got scores {} and a target {} of {}; it wants class numbers (int64) of the scores' shape without the class dimension, or 0 and 1 of the scores' shape.</source><translation>%1 得到得分 %2 和 %4 的目标 %3；它需要去掉类别维后与得分同形状的类别编号（int64），或与得分同形状的 0 和 1。</translation></message>
    <message><source>Choose a class column as target, or give the model's output the target's shape.</source><translation>请选择类别列作为目标，或使模型的输出与目标形状相同。</translation></message>
    <message><source>MultiMarginLoss got scores {} and a target {} of {}; it wants scores [B, C] and class numbers (int64) [B].</source><translation>MultiMarginLoss 得到得分 %1 和 %3 的目标 %2；它需要得分 [B, C] 和类别编号（int64）[B]。</translation></message>
    <message><source>Choose a class column as target.</source><translation>请选择类别列作为目标。</translation></message>
    <message><source>MultiLabelMarginLoss got scores {} and a target {} of {}; it wants scores [B, C] and class numbers (int64) [B, C], in each row the sample's classes and -1 after the last.</source><translation>MultiLabelMarginLoss 得到得分 %1 和 %3 的目标 %2；它需要得分 [B, C] 和类别编号（int64）[B, C]，每行是样本的类别，最后一个之后为 -1。</translation></message>
    <message><source>Choose MultiLabelSoftMarginLoss or BCEWithLogitsLoss for a 0 or 1 a class.</source><translation>对每个类别一个 0 或 1，请选择 MultiLabelSoftMarginLoss 或 BCEWithLogitsLoss。</translation></message>
    <message><source>MultiLabelSoftMarginLoss got scores {}; it wants [B, C].</source><translation>MultiLabelSoftMarginLoss 得到得分 %1；它需要 [B, C]。</translation></message>
    <message><source>Choose BCEWithLogitsLoss.</source><translation>请选择 BCEWithLogitsLoss。</translation></message>
    <message><source>MultiMarginLoss takes the power 1 or 2, and p is {}.</source><translation>MultiMarginLoss 的幂次为 1 或 2，而 p 是 %1。</translation></message>
    <message><source>Write 1 or 2.</source><translation>请写 1 或 2。</translation></message>
    <message><source>{} got logits {} and a target {} of {}; it wants class numbers (int64) of the logits' shape without the class dimension, or probabilities of the logits' shape.</source><translation>%1 得到 logits %2 和 %4 的目标 %3；它需要去掉类别维后与 logits 同形状的类别编号（int64），或与 logits 同形状的概率。</translation></message>
    <message><source>{} got an output {} and a target {} of {}; it wants class numbers (int64) of the output's shape without the class dimension.</source><translation>%1 得到输出 %2 和 %4 的目标 %3；它需要去掉类别维后与输出同形状的类别编号（int64）。</translation></message>
    <message><source>{} is {}, which is a table and no number.</source><translation>%1 为 %2，而它是一张表，不是数。</translation></message>
    <message><source>{} is {}, which the plan does not measure.</source><translation>%1 为 %2，而训练计划不测量它。</translation></message>
    <message><source>{} is "{}", which is no series of a validation.</source><translation>%1 为“%2”，而它不是验证的序列。</translation></message>
    <message><source>Take val.loss, or a metric such as val.accuracy.</source><translation>请使用 val.loss，或某个指标，例如 val.accuracy。</translation></message>
    <message><source>{} is {}, but nothing is validated.</source><translation>%1 为 %2，但没有进行验证。</translation></message>
    <message><source>Give data.splits.validation a share and set validation.every to 1.</source><translation>请给 data.splits.validation 一个份额，并把 validation.every 设为 1。</translation></message>
    <message><source>early_stopping.restore_best is on, but early stopping is off, so the run ends with its last weights.</source><translation>early_stopping.restore_best 已开启，但早停是关闭的，因此运行以最后的权重结束。</translation></message>
    <message><source>Set training.early_stopping.patience above 0.</source><translation>请把 training.early_stopping.patience 设为大于 0。</translation></message>
    <message><source>Early stopping restores the best by {} ({}), but the best checkpoint is chosen by {} ({}).</source><translation>早停恢复按 %1（%2）的最佳权重，而最佳检查点按 %3（%4）选择。</translation></message>
    <message><source>Give both the same series and mode, or leave checkpoints.best out.</source><translation>请让两者使用相同的序列和模式，或不写 checkpoints.best。</translation></message>
    <message><source>checkpoints.keep_best says how many of the best stay, but nothing says which those are.</source><translation>checkpoints.keep_best 说明保留多少个最佳检查点，但没有说明哪些是最佳的。</translation></message>
    <message><source>Set training.checkpoints.best.series, as val.loss.</source><translation>请设置 training.checkpoints.best.series，例如 val.loss。</translation></message>
    <message><source>make a folder for the copy</source><translation>为副本建立文件夹</translation></message>
    <message><source>copy the run</source><translation>复制运行</translation></message>
    <message><source>Run {} is going on, so it cannot be copied</source><translation>运行 %1 正在进行，因此无法复制</translation></message>
    <message><source>Wait for its end, or stop it.</source><translation>请等它结束，或停止它。</translation></message>
    <message><source>Run {} has no two checkpoints that one can train from and to</source><translation>运行 %1 没有可以从一个训练到另一个的两个检查点</translation></message>
    <message><source>Train with training.checkpoints.keep_last at 2 or more.</source><translation>请在 training.checkpoints.keep_last 为 2 或更多时训练。</translation></message>
    <message><source>The proof was stopped after step {} of {}</source><translation>验证在第 %1 步（共 %2 步）后被停止</translation></message>
    <message><source>Ask again; the run itself was not touched.</source><translation>请重新发起；运行本身没有被改动。</translation></message>
    <message><source>This build reads no checkpoints.</source><translation>此构建不读取检查点。</translation></message>
    <message><source>Install the whole program.</source><translation>请安装完整的程序。</translation></message>
    <message><source>The data are not those that the run was trained on, so its numbers cannot come again.</source><translation>数据不是该运行训练时所用的数据，因此无法得到相同的数值。</translation></message>
    <message><source>Put the data back as they were.</source><translation>请把数据恢复原样。</translation></message>
    <message><source>Goes on from run {}, step {}, epoch {}.</source><translation>从运行 %1 的第 %2 步、第 %3 轮继续。</translation></message>
    <message><source>The best checkpoint cannot be read, so the run ends with its last weights. </source><translation>无法读取最佳检查点，因此运行以最后的权重结束。</translation></message>
    <message><source>The weights of step {} are back, the best by {}.</source><translation>已恢复第 %1 步的权重，即按 %2 最佳的权重。</translation></message>
    <message><source>Saved as it was after step {}, before the failure: the run can be resumed from there.</source><translation>已保存失败之前第 %1 步后的状态：可以从那里继续运行。</translation></message>
    <message><source>A resume counts the batch that failed twice in the training metrics of this epoch.</source><translation>继续运行时，失败的那个批次会在本轮的训练指标中计入两次。</translation></message>
    <message><source>Removed {} to make room: {}. All of the run's may take {} MB (training.checkpoints.max_mb).</source><translation>为腾出空间删除了 %1：%2。该运行的全部检查点最多占 %3 MB（training.checkpoints.max_mb）。</translation></message>
    <message><source>The newest and the best checkpoint alone take {:.1f} MB, more than the {} MB of training.checkpoints.max_mb; both are kept.</source><translation>仅最新和最佳的检查点就占 %1 MB，超过 training.checkpoints.max_mb 的 %2 MB；两者都保留。</translation></message>
    <message><source>{} and {} at place {}</source><translation>%1 与 %2，位置 %3</translation></message>
    <message><source>only one has it</source><translation>只有一个含有它</translation></message>
    <message><source>they differ in type or shape</source><translation>两者的类型或形状不同</translation></message>
    <message><source>{} of {} values differ, the first being {}</source><translation>%2 个值中有 %1 个不同，第一个是 %3</translation></message>
    <message><source>{} and {}</source><translation>%1 与 %2</translation></message>
    <message><source>The checkpoints cannot be compared</source><translation>无法比较检查点</translation></message>
    <message><source>Give a whole number from 1.</source><translation>请给出从 1 起的整数。</translation></message>
    <message><source>Give a whole number from 0.</source><translation>请给出从 0 起的整数。</translation></message>
    <message><source>training.early_stopping.patience has no effect in this run: it does not stop early.</source><translation>training.early_stopping.patience 在此运行中不起作用：它没有启用早停。</translation></message>
    <message><source>training.validation.every has no effect in this run: it has no validation split.</source><translation>training.validation.every 在此运行中不起作用：它没有验证集。</translation></message>
    <message><source>Give data.splits.validation a share for the next run.</source><translation>请为下一次运行给 data.splits.validation 一个份额。</translation></message>
    <message><source>training.validation.every cannot be 0 in this run: its validations decide when it ends, which checkpoint is the best, or what the learning rate is.</source><translation>在此运行中 training.validation.every 不能为 0：验证决定它何时结束，或哪个检查点最佳。</translation></message>
    <message><source>Branch with the model that the run had, or train from the start.</source><translation>请用该运行的模型分支，或从头训练。</translation></message>
    <message><source>The checkpoint has no {}, which the model has.</source><translation>检查点没有 %1，而模型有。</translation></message>
    <message><source>{} has {} values in the checkpoint and {} in the model.</source><translation>%1 在检查点中有 %2 个值，在模型中有 %3 个。</translation></message>
    <message><source>The checkpoint has {} tensors of a model, the model {}.</source><translation>检查点有模型的 %1 个张量，模型有 %2 个。</translation></message>
    <message><source>The optimizer starts afresh: it was {} and is {}.</source><translation>优化器重新开始：原为 %1，现为 %2。</translation></message>
    <message><source>The optimizer starts afresh: with the changed settings it keeps another state.</source><translation>优化器重新开始：改动后的设置使它保存另一种状态。</translation></message>
    <message><source>The gradient scaler starts afresh.</source><translation>梯度缩放器重新开始。</translation></message>
    <message><source>Epoch {} begins anew: data, losses, metrics or how a step is made are not those of its first {}.</source><translation>第 %1 轮重新开始：数据、损失、指标或训练步的做法与其前 %2 不同。</translation></message>
    <message><source>The random generators start from the new seed.</source><translation>随机数生成器从新的种子开始。</translation></message>
    <message><source>{} stays at {}, to which it was changed while the parent ran.</source><translation>%1 保持为 %2，即父运行进行时改成的值。</translation></message>
    <message><source>{} is {} from the next step on, as the parent was told.</source><translation>从下一步起 %1 为 %2，即父运行被告知的值。</translation></message>
    <message><source>The checkpoint has {} and {} behind it, and the new run is to end after {}.</source><translation>检查点已完成 %1、%2，而新运行应在 %3 后结束。</translation></message>
    <message><source>Raise training.stop.epochs, or branch from an earlier checkpoint: epochs and steps count on from the parent's.</source><translation>请增大 training.stop.epochs，或从更早的检查点分支：轮数和步数接着父运行计数。</translation></message>
    <message><source>The time of {} s was over after {:.1f} s, {}.</source><translation>%1 秒的时间在 %2 秒、%3 后用完。</translation></message>
    <message><source>{} reached {} after {}; the target was {}.</source><translation>%1 在 %3 后达到 %2；目标为 %4。</translation></message>
    <message><source>Stopped early after {}: {} was no number in {}.</source><translation>在 %1 后提前停止：%2 在 %3 中都不是数。</translation></message>
    <message><source>Stopped early after {}: {} has not been better than {} of step {} for {}.</source><translation>在 %1 后提前停止：%2 已有 %5 没有优于第 %4 步的 %3。</translation></message>
    <message><source>The checkpoint cannot be read</source><translation>无法读取检查点</translation></message>
    <message><source>The exported training goes on to its last epoch: it stops at no time, target or patience.</source><translation>导出的训练一直进行到最后一轮：它不会因时间、目标或耐心而停止。</translation></message>
    <message><source>The exported program cannot let the share of dropped paths rise</source><translation>导出的程序无法让丢弃路径的比例逐渐上升</translation></message>
    <message><source>Set stochastic_depth.epochs to 0, or export as torchscript or state-dict.</source><translation>请把 stochastic_depth.epochs 设为 0，或导出为 torchscript 或 state-dict。</translation></message>
    <message><source>The training split has {}.</source><translation>训练集有 %1。</translation></message>
    <message><source>No batch above {} was asked for.</source><translation>没有要求大于 %1 的批次。</translation></message>
    <message><source>A batch of {} would take {:.1f} MB of tensors, more than the {:.1f} MB there are.</source><translation>%1 个样本的批次将占用 %2 MB 张量内存，超过可用的 %3 MB。</translation></message>
    <message><source>A batch of {} did not fit: {}</source><translation>%1 个样本的批次放不下：%2</translation></message>
    <message><source>batch of {}: {} ms a step, {} samples/s, {:.1f} MB</source><translation>批次 %1：每步 %2 毫秒，每秒 %3 个样本，%4 MB</translation></message>
    <message><source>{} The smallest batch within 5 % of the best throughput is chosen.</source><translation>%1选用吞吐量与最好者相差 5 % 以内的最小批次。</translation></message>
    <message><source>The rates go from {} to {} in {} steps.</source><translation>学习率在 %3 步内从 %1 变到 %2。</translation></message>
    <message><source>Take a lowest rate above 0, a higher one, and at least {} steps.</source><translation>请取大于 0 的最低学习率、一个更高的学习率，以及至少 %1 步。</translation></message>
    <message><source>rate {}: loss {}</source><translation>学习率 %1：损失 %2</translation></message>
    <message><source>The loss was no number, or far above its lowest, after {}: no rate can be told.</source><translation>%1之后损失不是数值，或远高于其最低值：无法给出学习率。</translation></message>
    <message><source>The loss fell at no rate by more than its batches differ by chance: check the data, the targets and the loss, or try higher rates and more steps.</source><translation>在任何学习率下损失的下降都没有超过批次之间的偶然差别：请检查数据、目标和损失，或尝试更高的学习率和更多步。</translation></message>
    <message><source>The loss falls fastest at {}, is lowest at {} and {}.</source><translation>损失在 %1 处下降最快，在 %2 处最低，%3。</translation></message>
    <message><source>{} is not stated and stays {}.</source><translation>%1 未写明，保持为 %2。</translation></message>
    <message><source>diverges at {}</source><translation>在 %1 处发散</translation></message>
    <message><source>does not diverge in the range</source><translation>在该范围内不发散</translation></message>
    <message><source>step {}: loss {}</source><translation>第 %1 步：损失 %2</translation></message>
    <message><source>The first batch of {} was learnt: the loss went from {} to {} in {}.</source><translation>第一个批次（%1）学会了：损失在 %4内从 %2 降到 %3。</translation></message>
    <message><source>The loss became {} after {}: lower the learning rate, and look at the findings.</source><translation>%2之后损失变成了 %1：请降低学习率，并查看发现。</translation></message>
    <message><source>The first batch of {} was not learnt: the loss went from {} to {} in {}. Dropout, a rate that is too low, too small a model or targets that do not follow from the inputs keep a model from it.</source><translation>第一个批次（%1）没有学会：损失在 %4内从 %2 变到 %3。Dropout、过低的学习率、过小的模型，或者无法由输入推出的目标，都会使模型学不会。</translation></message>
    <message><source>training batch {}: {:.1f} ms, loss {:.4g}</source><translation>训练批次 %1：%2 毫秒，损失 %3</translation></message>
    <message><source>The training split gives no batch.</source><translation>训练集给不出任何批次。</translation></message>
    <message><source>There is no such probe.</source><translation>没有这样的试验。</translation></message>
    <message><source>writing the trace of {} steps to {}</source><translation>正在把 %1 步的跟踪写入 %2</translation></message>
    <message><source>The trace could not be written</source><translation>无法写出跟踪文件</translation></message>
    <message><source>the schedule </source><translation>调度 </translation></message>
    <message><source>{} of at least {}</source><translation>不小于 %2 的%1</translation></message>
    <message><source>{} of at most {}</source><translation>不大于 %2 的%1</translation></message>
    <message><source>{} above {}</source><translation>%1 大于 %2</translation></message>
    <message><source>{} from {} to {}</source><translation>%2 到 %3 之间的%1</translation></message>
    <message><source>{} from {} to under {}</source><translation>从 %2 到小于 %3 的%1</translation></message>
    <message><source>{} above {} and at most {}</source><translation>%1 大于 %2 且至多 %3</translation></message>
    <message><source>{} above {} and under {}</source><translation>大于 %2 且小于 %3 的%1</translation></message>
    <message><source>a list of two numbers</source><translation>两个数的列表</translation></message>
    <message><source>a list of numbers</source><translation>数的列表</translation></message>
    <message><source>Remove one of the two, or give it a "name" of its own.</source><translation>请删除其中一个，或给它一个自己的 "name"。</translation></message>
    <message><source>Raise it.</source><translation>请增大它。</translation></message>
    <message><source>schedule of a sequence</source><translation>序列中的调度</translation></message>
    <message><source>a list of names</source><translation>名称的列表</translation></message>
    <message><source>a number, or "inf"</source><translation>一个数，或 "inf"</translation></message>
    <message><source>{} stays in training mode (mode "stochastic")</source><translation>%1 保持训练模式（mode 为 "stochastic"）</translation></message>
    <message><source>{} is in training mode</source><translation>%1 处于训练模式</translation></message>
    <message><source>gives {} and not {}</source><translation>给出 %1，而不是 %2</translation></message>
    <message><source>gives other whole numbers</source><translation>给出不同的整数</translation></message>
    <message><source>differs by {} of the largest value, more than {}</source><translation>与最大值相比相差 %1，超过 %2</translation></message>
    <message><source>TorchScript refused it</source><translation>TorchScript 拒绝了它</translation></message>
    <message><source>It failed when it ran</source><translation>运行时失败</translation></message>
    <message><source>It failed when it was tried</source><translation>试验时失败</translation></message>
    <message><source>gradients were recorded</source><translation>正在记录梯度</translation></message>
    <message><source>inputs of another shape or element type</source><translation>输入的形状或元素类型不同</translation></message>
    <message><source>mixed precision was on</source><translation>混合精度已开启</translation></message>
    <message><source>the weights changed after it was compiled</source><translation>编译之后权重有变化</translation></message>
    <message><source>Stopped while compiling blocks</source><translation>在编译模块时停止</translation></message>
    <message><source>; tried block by block</source><translation>；已逐个模块尝试</translation></message>
    <message><source>it overwrites what it gets</source><translation>它会覆盖自己的输入</translation></message>
    <message><source>not faster: {:.2f}×</source><translation>没有更快：%1 倍</translation></message>
    <message><source>the whole model {}</source><translation>整个模型%1</translation></message>
    <message><source>tells another class {}</source><translation>给出另一个类别（%1）</translation></message>
    <message><source>The blocks could not be compiled</source><translation>无法编译这些模块</translation></message>
    <message><source>blocks are compiled for the precision fp32 alone</source><translation>只有精度为 fp32 时才编译模块</translation></message>
    <message><source>This engine compiles no blocks.</source><translation>这个引擎不编译模块。</translation></message>
    <message><source>This engine has no probes.</source><translation>这个引擎没有试验功能。</translation></message>
    <message><source>Use the one that came with the program.</source><translation>请使用程序自带的引擎。</translation></message>
    <message><source>The probe failed</source><translation>试验失败</translation></message>
    <message><source>The parent's averaged weights, which are what it validated and kept, are left behind: training.averaging is "none", so the run goes on from the weights that it trained.</source><translation>父运行所验证和保存的平均权重被舍弃：training.averaging 是 "none"，因此运行从它训练的权重继续。</translation></message>
    <message><source>{} is what the project says: {}, to which the parent was told to change it, does not go with the changed settings.</source><translation>%1 采用项目中的值：父运行被告知改成的 %2 与更改后的设置不相容。</translation></message>
    <message><source>The listed values have no more combinations than {}, so there are no more trials.</source><translation>列出的值只有 %1 种组合，因此不会有更多试验。</translation></message>
    <message><source>It diverged: {} was never a finite number.</source><translation>它发散了：%1 从未是有限的数。</translation></message>
    <message><source>The averaged weights start afresh.</source><translation>平均权重重新开始。</translation></message>
    <message><source>What the schedule remembers of the validations starts afresh.</source><translation>调度对验证的记忆重新开始。</translation></message>
    <message><source>{} has no effect in this run: its schedule sets the rate by itself.</source><translation>%1 对这次运行没有作用：它的调度自行决定学习率。</translation></message>
    <message><source>Leave max_lr out for the next run, or choose another schedule.</source><translation>请在下一次运行中省略 max_lr，或选择另一种调度。</translation></message>
    <message><source>{} is {} and goes by {}, of which {} values are better.</source><translation>%1 是 %2，依据 %3，而它的值%4更好。</translation></message>
    <message><source>Set it to "{}".</source><translation>请把它设为 "%1"。</translation></message>
    <message><source>The best checkpoint is chosen by {}, which is measured on the weights in training, and averaged weights are what is kept of it.</source><translation>最佳检查点按 %1 选择，它在训练中的权重上测量，而保留的是平均权重。</translation></message>
    <message><source>Choose by a series of the validation, as val.loss.</source><translation>请按验证的序列选择，例如 val.loss。</translation></message>
    <message><source>The trace could not be written to {}.</source><translation>无法把跟踪写入 %1。</translation></message>
    <message><source>Free space, or choose another file.</source><translation>请腾出空间，或选择另一个文件。</translation></message>
    <message><source>{} tells classes apart, and the output {} has a single score.</source><translation>%1 用于区分类别，而输出 %2 只有一个得分。</translation></message>
    <message><source>Choose MSELoss for a number, or BCEWithLogitsLoss for yes and no; for classes give the model an output for each.</source><translation>数值请选择 MSELoss，是非请选择 BCEWithLogitsLoss；类别请让模型为每一类给出一个输出。</translation></message>
    <message><source>Choose another value, or leave it out to take the optimizer's own.</source><translation>请选择其他值，或省略它以采用优化器自己的值。</translation></message>
    <message><source>{} has a name that is longer than {} bytes or holds a control character</source><translation>%1 的名称超过 %2 字节或含有控制字符</translation></message>
    <message><source>Give it a short name in one line.</source><translation>请给它一个单行的短名称。</translation></message>
    <message><source>After {} the learning rate is {}, which no training survives.</source><translation>在 %1 之后学习率是 %2，任何训练都无法承受。</translation></message>
    <message><source>Lower gamma, the factors or the learning rate.</source><translation>请降低 gamma、系数或学习率。</translation></message>
    <message><source>A decay of 1 keeps the average at the weights that it began with.</source><translation>衰减为 1 时，平均值一直停留在开始时的权重。</translation></message>
    <message><source>Set averaging.decay below 1; usual is 0.999.</source><translation>请把 averaging.decay 设为小于 1；通常为 0.999。</translation></message>
    <message><source>at least 0</source><translation>至少 0</translation></message>
    <message><source>LBFGS decides the length of a step from the steps before it, so a rate that rises from step to step tells nothing about it.</source><translation>LBFGS 根据之前的各步决定步长，因此逐步升高的学习率不能说明什么。</translation></message>
    <message><source>Leave its learning rate at 1, with line_search_fn "strong_wolfe", or choose another optimizer.</source><translation>请把它的学习率保持为 1，并把 line_search_fn 设为 "strong_wolfe"，或选择另一种优化器。</translation></message>
    <message><source>Computes with {} in {}: {} ms a batch in a trial, against {} ms with {} in {}.</source><translation>以 %1、%2 计算：试验中每批次 %3 毫秒，而 %5、%6 为 %4 毫秒。</translation></message>
    <message><source>Computes with {} in {}: {} ms a batch in the trial of an earlier run, against {} ms with {} in {}.</source><translation>以 %1、%2 计算：先前一次运行的试验中每批次 %3 毫秒，而 %5、%6 为 %4 毫秒。</translation></message>
    <message><source>The first batches of the validation could not be evaluated</source><translation>无法评估验证的前几个批次</translation></message>
    <message><source>optimizer state</source><translation>优化器状态</translation></message>
    <message><source>batches made ahead</source><translation>预先准备的批次</translation></message>
    <message><source>other tensors</source><translation>其他张量</translation></message>
    <message><source> The most was held by {}.</source><translation> 占用最多的是 %1。</translation></message>
    <message><source> {} more were asked for.</source><translation> 又请求了 %1。</translation></message>
    <message><source> Of a batch's activations {} keeps most, {}.</source><translation> 一个批次的激活值中 %1 保留最多，为 %2。</translation></message>
    <message><source>Use a smaller model, or close other programs.</source><translation>请使用更小的模型，或关闭其他程序。</translation></message>
    <message><source> Activation checkpointing would save nothing: no block keeps more inside than it gives.</source><translation> 激活检查点不会节省内存：没有哪个块在内部保留的比它给出的多。</translation></message>
    <message><source>Less would do: {}.</source><translation>需要更少的有：%1。</translation></message>
    <message><source>A step is predicted to take {} at its peak. Less would do: {}.</source><translation>预计一步的峰值为 %1。需要更少的有：%2。</translation></message>
    <message><source>{} (about {})</source><translation>%1（约 %2）</translation></message>
    <message><source>{} at position {} of the formula goes along dimension {}, and what it got has the shape {}.</source><translation>公式第 %2 个字符处的 %1 沿维度 %3 计算，而它得到的形状是 %4。</translation></message>
    <message><source>Name one of its dimensions, from 0, or leave the dimension out.</source><translation>请给出它的一个维度（从 0 开始），或省略维度。</translation></message>
    <message><source>{} at position {} of the formula got the shapes {} and {}, which do not fit each other.</source><translation>公式第 %2 个字符处的 %1 得到的形状 %3 和 %4 互不相符。</translation></message>
    <message><source>Give both the same shape, or take a mean or a sum of one along the dimension that is too much.</source><translation>请让两者形状相同，或对其中一个沿多余的维度取 mean 或 sum。</translation></message>
    <message><source>The formula of ExpressionLoss gives numbers of the shape {}, and a loss is one number.</source><translation>ExpressionLoss 的公式给出形状为 %1 的数，而损失是一个数。</translation></message>
    <message><source>A profile of {} steps is not possible.</source><translation>不能对 %1 步进行性能分析。</translation></message>
    <message><source>With a trace give 1 to {} steps.</source><translation>带跟踪时请给出 1 到 %1 步。</translation></message>
    <message><source>Give 1 to {} steps.</source><translation>请给出 1 到 %1 步。</translation></message>
    <message><source>The run is being profiled already.</source><translation>该运行正在进行性能分析。</translation></message>
    <message><source>Wait until that has ended.</source><translation>请等它结束。</translation></message>
    <message><source>The profile could not be written</source><translation>无法写出性能分析</translation></message>
    <message><source>The run ended before a step of it could be profiled.</source><translation>运行在能够分析任何一步之前就结束了。</translation></message>
    <message><source>The scaler has skipped {} in a row, so after step {} its scale is {} again. The learning rate stays: its schedule sets it by itself.</source><translation>缩放器已连续跳过%1，因此在第 %2 步之后缩放重新为 %3。学习率保持不变：它由学习率计划自行决定。</translation></message>
    <message><source>A message to a run has 1 to {} commands, not {}.</source><translation>发给运行的一条消息含 1 到 %1 条命令，而不是 %2 条。</translation></message>
    <message><source>Tell the run in several messages.</source><translation>请分成几条消息告诉运行。</translation></message>
    <message><source>{} is no setting: its name has more than {} bytes.</source><translation>%1 不是设置：它的名称超过 %2 字节。</translation></message>
    <message><source>"plumbline settings" lists those that there are.</source><translation>"plumbline settings" 会列出现有的设置。</translation></message>
    <message><source>A message to a run has {} bytes at most, and this one {}.</source><translation>发给运行的一条消息最多 %1 字节，而这一条有 %2 字节。</translation></message>
    <message><source>Run {} hears no other process</source><translation>运行 %1 不接受其他进程的命令</translation></message>
    <message><source>Change it where it was started: in its window or terminal.</source><translation>请在启动它的窗口或终端中更改。</translation></message>
    <message><source>The thread that hears other processes cannot be started: {}</source><translation>无法启动接收其他进程命令的线程：%1</translation></message>
    <message><source>In the run's inbox {} was not taken: it {}.</source><translation>运行的 inbox 中的 %1 未被接受：它%2。</translation></message>
    <message><source>is no regular file</source><translation>不是普通文件</translation></message>
    <message><source>belongs to another user</source><translation>属于另一个用户</translation></message>
    <message><source>has more than {} bytes</source><translation>超过 %1 字节</translation></message>
    <message><source>could not be read</source><translation>无法读取</translation></message>
    <message><source>could not be removed</source><translation>无法删除</translation></message>
    <message><source>is nothing that plumbline tell writes</source><translation>不是 plumbline tell 写出的内容</translation></message>
    <message><source>a file</source><translation>一个文件</translation></message>
    <message><source>The run hears no other process. </source><translation>该运行不接受其他进程的命令。%1</translation></message>
    <message><source>The run repeats another one, so its settings stay as they were.</source><translation>该运行在重复另一次运行，因此其设置保持原样。</translation></message>
    <message><source>Train the project instead, as a run of its own.</source><translation>请改为训练该项目，作为单独的运行。</translation></message>
    <message><source>Write it as training.optimizer.lr=0.1,0.01, …=16..128 or …=log:1e-5..1e-1; /5 behind a range takes 5 values of it.</source><translation>请写成 training.optimizer.lr=0.1,0.01、…=16..128 或 …=log:1e-5..1e-1；范围后面的 /5 取其中 5 个值。</translation></message>
    <message><source>The parameter "{}" {}</source><translation>参数 "%1" %2</translation></message>
    <message><source>takes from 2 to {} values of its range</source><translation>应取其范围中的 2 到 %1 个值</translation></message>
    <message><source>has a range whose ends are not numbers: {} and {}</source><translation>的范围两端不是数字：%1 和 %2</translation></message>
    <message><source>has a range that ends at {} and starts at {}</source><translation>的范围以 %1 结束，却从 %2 开始</translation></message>
    <message><source>is a logarithmic range from {}, and it has to start above 0</source><translation>是从 %1 开始的对数范围，而它必须从大于 0 处开始</translation></message>
    <message><source>takes {} values of its range, of which {} would come twice</source><translation>取其范围中的 %1 个值，其中 %2 会出现两次</translation></message>
    <message><source>names no setting and its values</source><translation>没有写出设置及其值</translation></message>
    <message><source>says log: and gives no range</source><translation>写了 log: 却没有给出范围</translation></message>
    <message><source>has a value that is empty</source><translation>有一个空的值</translation></message>
    <message><source>names the value {} twice</source><translation>把值 %1 写了两次</translation></message>
    <message><source>The sweep varies no setting.</source><translation>这个扫描没有改变任何设置。</translation></message>
    <message><source>Name one and its values, as training.optimizer.lr=0.1,0.01.</source><translation>请指定一个设置及其值，例如 training.optimizer.lr=0.1,0.01。</translation></message>
    <message><source>{} is varied twice.</source><translation>%1 被写了两次。</translation></message>
    <message><source>Give it all of its values at once.</source><translation>请一次给出它的所有值。</translation></message>
    <message><source>A grid cannot take the range of {}: it does not say how many values.</source><translation>网格无法采用 %1 的范围：没有说明取几个值。</translation></message>
    <message><source>Write /5 behind the range for 5 values of it, or choose the method random or tpe.</source><translation>请在范围后面写 /5 以取 5 个值，或选择方法 random 或 tpe。</translation></message>
    <message><source>The grid has {:.3g} combinations, and a sweep takes at most {}.</source><translation>网格有 %1 种组合，而一个扫描最多 %2 种。</translation></message>
    <message><source>Choose the method random or tpe, and how many trials.</source><translation>请选择方法 random 或 tpe，并给出试验数。</translation></message>
    <message><source>There is no method &quot;{}&quot;.</source><translation>没有方法 &quot;%1&quot;。</translation></message>
    <message><source>The sweep has no &quot;{}&quot;</source><translation>这个扫描没有 &quot;%1&quot;</translation></message>
    <message><source>Start a new sweep.</source><translation>请开始新的扫描。</translation></message>
    <message><source>a list of texts</source><translation>文本列表</translation></message>
    <message><source>A sweep cannot be named &quot;{}&quot;.</source><translation>扫描不能命名为 &quot;%1&quot;。</translation></message>
    <message><source>Take up to 100 characters without spaces and slashes, as lr-search.</source><translation>请用至多 100 个字符，不含空格和斜杠，例如 lr-search。</translation></message>
    <message><source>There is a sweep &quot;{}&quot; already.</source><translation>已经有扫描 &quot;%1&quot;。</translation></message>
    <message><source>Go on with it: plumbline sweep … --resume {}; or choose another --name.</source><translation>请继续它：plumbline sweep … --resume %1；或选择其他 --name。</translation></message>
    <message><source>There is no sweep &quot;{}&quot;.</source><translation>没有扫描 &quot;%1&quot;。</translation></message>
    <message><source>plumbline sweeps lists them.</source><translation>plumbline sweeps 列出它们。</translation></message>
    <message><source>Another process runs the trials of the sweep &quot;{}&quot;.</source><translation>另一个进程正在运行扫描 &quot;%1&quot; 的试验。</translation></message>
    <message><source>Stop it with --stop {}, or wait until it has ended.</source><translation>请用 --stop %1 停止它，或等它结束。</translation></message>
    <message><source>No process runs the trials of the sweep &quot;{}&quot;.</source><translation>没有进程在运行扫描 &quot;%1&quot; 的试验。</translation></message>
    <message><source>There is nothing to stop; --resume goes on with it.</source><translation>没有可停止的；--resume 继续它。</translation></message>
    <message><source>The files of the sweep &quot;{}&quot; are links to those of another.</source><translation>扫描 &quot;%1&quot; 的文件是指向另一个扫描的文件的链接。</translation></message>
    <message><source>Copy the folder with cp -rL, which copies what the links lead to.</source><translation>请用 cp -rL 复制文件夹，它会复制链接所指的内容。</translation></message>
    <message><source>There is a run &quot;{}&quot; already, and the trials of this copy of the sweep &quot;{}&quot; would be called so too.</source><translation>已经有运行 &quot;%1&quot;，而扫描 &quot;%2&quot; 的这个副本的试验也会这样命名。</translation></message>
    <message><source>Give the sweep's folder another name.</source><translation>请给扫描的文件夹另起一个名字。</translation></message>
    <message><source>The process that runs the sweep &quot;{}&quot; has not answered within {}.</source><translation>运行扫描 &quot;%1&quot; 的进程在 %2 内没有回应。</translation></message>
    <message><source>It is suspended, or of an earlier version: press Ctrl-C where it was started, or wait longer with --timeout.</source><translation>它被挂起了，或属于较早的版本：请在启动它的地方按 Ctrl-C，或用 --timeout 等待更久。</translation></message>
    <message><source>The sweep &quot;{}&quot; is being stopped and has not saved its trials within {}.</source><translation>扫描 &quot;%1&quot; 正在停止，但在 %2 内没有保存完它的试验。</translation></message>
    <message><source>It ends by itself once they are saved; plumbline sweeps shows them.</source><translation>保存完之后它会自行结束；plumbline sweeps 显示它们。</translation></message>
    <message><source>{} changes nothing: each phase of the step has its own.</source><translation>%1 不起作用：步中的每个阶段都有自己的设置。</translation></message>
    <message><source>Try training.phases.0.optimizer instead, or leave it out of the phases.</source><translation>请改为尝试 training.phases.0.optimizer，或在各阶段中去掉它。</translation></message>
    <message><source>{} changes nothing where {} is {}.</source><translation>当 %2 为 %3 时 %1 不起作用。</translation></message>
    <message><source>Leave it out, or set {} to {}.</source><translation>请去掉它，或把 %1 设为 %2。</translation></message>
    <message><source>{} changes nothing while {} is not set.</source><translation>未设置 %2 时 %1 不起作用。</translation></message>
    <message><source>Set {}.</source><translation>请设置 %1。</translation></message>
    <message><source>{} changes nothing: the schedule sets the rate by itself.</source><translation>%1 不起作用：学习率由调度自行决定。</translation></message>
    <message><source>Leave max_lr out, or try its values instead.</source><translation>请去掉 max_lr，或改为尝试 max_lr 的取值。</translation></message>
    <message><source>{} changes nothing: every group of parameters has a value of its own.</source><translation>%1 不起作用：每个参数组都有自己的值。</translation></message>
    <message><source>Try the groups' values instead, or leave them out.</source><translation>请改为尝试各组的值，或将其去掉。</translation></message>
    <message><source>The sweep "{}" is of another user (number {}), and hears nobody else.</source><translation>扫描“%1”属于另一用户（编号 %2），不接受其他人的请求。</translation></message>
    <message><source>Stop it as that user, or press Ctrl-C where it was started.</source><translation>请以该用户身份停止它，或在启动它的地方按 Ctrl-C。</translation></message>
    <message><source>{} changes nothing while {} is {}.</source><translation>当 %2 为 %3 时 %1 不起作用。</translation></message>
    <message><source>Set {} above {}.</source><translation>请把 %1 设为大于 %2。</translation></message>
    <message><source>The run gave no value of {}.</source><translation>该运行没有给出 %1 的值。</translation></message>
    <message><source>Successive halving has to know how long its first rung is.</source><translation>逐次减半必须知道第一级有多长。</translation></message>
    <message><source>Say --min-steps N: optimizer steps after which the first trials are dropped, with a validation before them.</source><translation>请给出 --min-steps N：在多少个优化步之后淘汰第一批试验，其间要有一次验证。</translation></message>
    <message><source>The first rung is {} steps long and a whole trial {}.</source><translation>第一级有 %1 步，而整个试验只有 %2 步。</translation></message>
    <message><source>Lower --min-steps or raise --max-steps.</source><translation>请减小 --min-steps 或增大 --max-steps。</translation></message>
    <message><source>Another process trains run {}.</source><translation>另一个进程正在训练运行 %1。</translation></message>
    <message><source>Run {} was stopped, and not by the sweep.</source><translation>运行 %1 被停止了，而且不是由扫描停止的。</translation></message>
    <message><source>It ended with exit code {}.</source><translation>它以退出码 %1 结束。</translation></message>
    <message><source>The trials are to be judged by {}, which is no number that the project measures.</source><translation>试验要按 %1 评判，而项目并不测量这个数值。</translation></message>
    <message><source>Take val.loss, or add the metric to training.metrics and name it as val.accuracy.</source><translation>请用 val.loss，或把该指标加入 training.metrics 并写成 val.accuracy 的形式。</translation></message>
    <message><source>The trials are to be judged by {}, but nothing is validated.</source><translation>试验要按 %1 评判，但没有进行验证。</translation></message>
    <message><source>Give data.splits.validation a share and set training.validation.every to 1, or judge by --metric train.loss.</source><translation>请给 data.splits.validation 一个份额并把 training.validation.every 设为 1，或按 --metric train.loss 评判。</translation></message>
    <message><source>The project has changed since the sweep &quot;{}&quot; began, so its trials could not be compared.</source><translation>扫描 &quot;%1&quot; 开始之后项目有了更改，因此它的试验无法比较。</translation></message>
    <message><source>Put the project back as it was, or start a new sweep.</source><translation>请把项目恢复原样，或开始新的扫描。</translation></message>
    <message><source>There is a run &quot;{}&quot; already, and the trials of the sweep would be called so too.</source><translation>已经有运行 &quot;%1&quot;，而扫描的试验也会这样命名。</translation></message>
    <message><source>Choose another --name.</source><translation>请选择其他 --name。</translation></message>
    <message><source>No trial of the sweep &quot;{}&quot; gave a value of {}.</source><translation>扫描 &quot;%1&quot; 的试验都没有给出 %2 的值。</translation></message>
    <message><source>plumbline sweeps {} {} says what became of each.</source><translation>plumbline sweeps %1 %2 说明每个试验的结果。</translation></message>
    <message><source>{} is of version {}, and this program knows version {}.</source><translation>%1 的版本是 %2，而本程序只认识版本 %3。</translation></message>
    <message><source>Use a newer Plumbline.</source><translation>请使用更新的 Plumbline。</translation></message>
    <message><source>averaged weights</source><translation>平均权重</translation></message>
    <message><source>Choose one of {}.</source><translation>请选择 %1 之一。</translation></message>
    <message><source>declares {} outputs, and a package's block has one</source><translation>声明了 %1 个输出，而编译包的模块只有一个输出</translation></message>
    <message><source>Compile the model with one output.</source><translation>请以一个输出编译该模型。</translation></message>
    <message><source>declares {} in inputs and gets {}</source><translation>在 inputs 中声明了 %1 个张量，而得到 %2 个</translation></message>
    <message><source>Connect one block for each tensor that inputs declares, in its order.</source><translation>请为 inputs 声明的每个张量依次连接一个模块。</translation></message>
    <message><source>expects {} values and gets {} from {{{}}}</source><translation>需要 %1 值，而从 %3 得到 %2</translation></message>
    <message><source>Insert a ToDtype block with dtype {}.</source><translation>请插入一个 dtype 为 %1 的 ToDtype 模块。</translation></message>
    <message><source>expects [{}] and gets [{}] from {{{}}}</source><translation>需要 [%1]，而从 %3 得到 [%2]</translation></message>
    <message><source>Connect a block whose output has that shape, or correct inputs if the package was compiled for another one; a symbol stands for one size.</source><translation>请连接输出为该形状的模块；若编译包是为另一种形状编译的，请改正 inputs。一个符号只代表一个大小。</translation></message>
    <message><source>has &quot;{}&quot; in output, which no input has</source><translation>的 output 中有 &quot;%1&quot;，而没有输入含有它</translation></message>
    <message><source>Use a symbol of inputs, or a whole number.</source><translation>请使用 inputs 中的符号，或一个整数。</translation></message>
    <message><source>{} is compiled already: it runs a package</source><translation>%1 已是编译好的：它运行一个编译包</translation></message>
    <message><source>{} holds no model &quot;{}&quot;; it has &quot;{}&quot;</source><translation>%1 不含模型 &quot;%2&quot;；它含有 &quot;%3&quot;</translation></message>
    <message><source>Set model_name to one that it has.</source><translation>请把 model_name 设为其中已有的一个。</translation></message>
    <message><source>{} holds source code and no compiled library</source><translation>%1 含有源代码，但没有编译好的库</translation></message>
    <message><source>Make it without aot_inductor.package_cpp_only.</source><translation>请不带 aot_inductor.package_cpp_only 地生成它。</translation></message>
    <message><source>Make one with torch._inductor.aoti_compile_and_package.</source><translation>请用 torch._inductor.aoti_compile_and_package 生成一个。</translation></message>
    <message><source>{} is a zip file and no AOTInductor package</source><translation>%1 是 zip 文件，但不是 AOTInductor 编译包</translation></message>
    <message><source>{} does not hold one compiled library and what that says of itself, as an AOTInductor package does</source><translation>%1 并不像 AOTInductor 编译包那样含有一个编译好的库及其说明</translation></message>
    <message><source>{} does not say for which device it was compiled</source><translation>%1 没有说明它是为哪种设备编译的</translation></message>
    <message><source>{} was compiled for {}</source><translation>%1 是为%2编译的</translation></message>
    <message><source>the device &quot;{}&quot;, and packages run on the CPU here</source><translation>设备 &quot;%1&quot;（而编译包在这里于 CPU 上运行）</translation></message>
    <message><source>Compile it with the model and its inputs on the CPU.</source><translation>请在模型及其输入位于 CPU 时编译它。</translation></message>
    <message><source>the system &quot;{}&quot;, and this is linux</source><translation>系统 &quot;%1&quot;（而这里是 linux）</translation></message>
    <message><source>Compile it on such a machine as this one.</source><translation>请在与本机同类的机器上编译它。</translation></message>
    <message><source>a {} processor, and this is a {} one</source><translation>%1 处理器（而这里是 %2 处理器）</translation></message>
    <message><source>a processor with {}, which this one has not</source><translation>带有 %1 的处理器（而本机处理器没有）</translation></message>
    <message><source>Compile it on this machine, or with ATEN_CPU_CAPABILITY=avx2.</source><translation>请在本机上编译它，或以 ATEN_CPU_CAPABILITY=avx2 编译。</translation></message>
    <message><source>Cannot read {}: it is no regular file</source><translation>无法读取 %1：它不是普通文件</translation></message>
    <message><source>The list of trusted files {} can be written to by others, so nothing in it counts</source><translation>可信文件列表 %1 可被他人写入，因此其中内容一概不算</translation></message>
    <message><source>The list of trusted files {} cannot be read, so nothing in it counts</source><translation>可信文件列表 %1 无法读取，因此其中内容一概不算</translation></message>
    <message><source>The list of trusted files {} is not as this program writes it, so nothing in it counts</source><translation>可信文件列表 %1 不是本程序所写的样子，因此其中内容一概不算</translation></message>
    <message><source>The folder {} can be written to by others, so the list of trusted files in it does not count</source><translation>文件夹 %1 可被他人写入，因此其中的可信文件列表不算数</translation></message>
    <message><source>Look through the list, then make the folder yours alone: chmod 700 {}</source><translation>请先查看该列表，再把文件夹设为仅您可用：chmod 700 %1</translation></message>
    <message><source>Look through it, then make it yours alone: chmod 600 {}</source><translation>请先查看其内容，再把它设为仅您可用：chmod 600 %1</translation></message>
    <message><source>Remove it, and trust the files again.</source><translation>请删除它，并重新信任那些文件。</translation></message>
    <message><source>{} is a damaged zip file: {}</source><translation>%1 是损坏的 zip 文件：%2</translation></message>
    <message><source>Get the file again.</source><translation>请重新获取该文件。</translation></message>
    <message><source>{} is no zip file, or it is cut off: it has no list of what it holds</source><translation>%1 不是 zip 文件，或已被截断：它没有内容目录</translation></message>
    <message><source>Check the path, or get the file again.</source><translation>请检查路径，或重新获取该文件。</translation></message>
    <message><source>it lists more files than any package has</source><translation>它列出的文件比任何编译包都多</translation></message>
    <message><source>its list ends early</source><translation>其目录提前结束</translation></message>
    <message><source>&quot;{}&quot; is no name that may be unpacked</source><translation>&quot;%1&quot; 不是可以解包的名称</translation></message>
    <message><source>&quot;{}&quot; is in it twice</source><translation>&quot;%1&quot; 在其中出现两次</translation></message>
    <message><source>&quot;{}&quot; is encrypted, or packed in a way that is not known</source><translation>&quot;%1&quot; 已加密，或以未知的方式压缩</translation></message>
    <message><source>&quot;{}&quot; has a size that the file has no room for</source><translation>&quot;%1&quot; 的大小超出该文件所能容纳</translation></message>
    <message><source>&quot;{}&quot; is far larger than such a file is</source><translation>&quot;%1&quot; 远大于此类文件应有的大小</translation></message>
    <message><source>&quot;{}&quot; is not where its list says</source><translation>&quot;%1&quot; 不在其目录所说的位置</translation></message>
    <message><source>&quot;{}&quot; ends early</source><translation>&quot;%1&quot; 提前结束</translation></message>
    <message><source>&quot;{}&quot; cannot be unpacked</source><translation>&quot;%1&quot; 无法解包</translation></message>
    <message><source>the checksum of &quot;{}&quot; does not hold</source><translation>&quot;%1&quot; 的校验和不符</translation></message>
    <message><source>{} runs a compiled package, of which there is no source to export as {}</source><translation>%1 运行一个编译包，没有它的源代码可导出为 %2</translation></message>
    <message><source>Export the weights alone (state-dict), and use the package beside them.</source><translation>请只导出权重（state-dict），并把编译包与之一起使用。</translation></message>
    <message><source>has {} = &quot;{}&quot;, which is no list of tensors</source><translation>的 %1 = &quot;%2&quot;，它不是张量列表</translation></message>
    <message><source>Write a dtype and the sizes of each, separated by commas, as float32 [B, 3, 32, 32]: a size is a whole number from 1, or a symbol where it may vary.</source><translation>请写出每个张量的 dtype 和各维大小，用逗号分隔，例如 float32 [B, 3, 32, 32]：大小是从 1 起的整数，可变处写一个符号。</translation></message>
    <message><source>{} is not beside the program, and compiled packages cannot be loaded without it</source><translation>%1 不在程序旁边，没有它就无法加载编译包</translation></message>
    <message><source>Build the target plumbline_libtorch_name, or install the package again.</source><translation>请构建目标 plumbline_libtorch_name，或重新安装软件包。</translation></message>
    <message><source>{} (SHA-256 {}) is native code, which runs with all of your rights, and you have not said that you trust it</source><translation>%1（SHA-256 %2）是原生代码，会以您的全部权限运行，而您尚未表示信任它</translation></message>
    <message><source>If you know where it comes from: {}</source><translation>若您清楚它的来源：%1</translation></message>
    <message><source>The package needs {} MB, and {} has {} MB</source><translation>编译包需要 %1 MB，而 %2 只有 %3 MB</translation></message>
    <message><source>Free some space, or set TMPDIR to a folder that has it.</source><translation>请腾出一些空间，或把 TMPDIR 设为有足够空间的文件夹。</translation></message>
    <message><source>The package {} could not be loaded</source><translation>无法加载编译包 %1</translation></message>
    <message><source>Libraries may not be run from the folder of temporary files; set TMPDIR to another one.</source><translation>临时文件夹中不允许运行库；请把 TMPDIR 设为另一个文件夹。</translation></message>
    <message><source>Compile it again, with PyTorch 2.13 and on this machine.</source><translation>请用 PyTorch 2.13 在本机上重新编译它。</translation></message>
    <message><source>the block declares {} and gets {}</source><translation>模块声明了%1，而得到 %2 个</translation></message>
    <message><source>input {}, {} [{}]</source><translation>输入 %1，%2 [%3]</translation></message>
    <message><source>the package gives {}, and the block has one</source><translation>编译包给出%1，而模块只有一个</translation></message>
    <message><source>the package computes on the CPU and gets a tensor on {}; set training.device to cpu</source><translation>编译包在 CPU 上计算，而得到位于 %1 的张量；请把 training.device 设为 cpu</translation></message>
    <message><source>{} was compiled for other inputs than the block declares. It refuses {}: {}</source><translation>%1 是为不同于模块所声明的输入编译的。它拒绝 %2：%3</translation></message>
    <message><source>Export the model again with contiguous inputs, as x.contiguous() makes them.</source><translation>请用连续的输入（如 x.contiguous() 所得）重新导出模型。</translation></message>
    <message><source>Write what the model was exported with in the block's inputs.</source><translation>请在模块的 inputs 中写明模型导出时所用的输入。</translation></message>
    <message><source>the package was compiled for {} from {} on, and gets {}</source><translation>编译包是为不小于 %2 的 %1 编译的，而得到 %3</translation></message>
    <message><source>the package takes {} [{}] and gets {}</source><translation>编译包接受 %1 [%2]，而得到 %3</translation></message>
    <message><source>the package gives {} and the block declares {} [{}]</source><translation>编译包给出 %1，而模块声明的是 %2 [%3]</translation></message>
    <message><source>{} runs a package that was compiled for the CPU, and the device is to be {}</source><translation>%1 运行为 CPU 编译的编译包，而设备要求为 %2</translation></message>
    <message><source>{} runs a package that was compiled for the CPU, and training.device is {}. Set it to cpu.</source><translation>%1 运行为 CPU 编译的编译包，而 training.device 是 %2。请把它设为 cpu。</translation></message>
    <message><source>What is in the package of {} is not known: its parameters and multiply-accumulates count as 0 in the model's.</source><translation>%1 的编译包中有什么是未知的：其参数量和乘加次数在模型总数中按 0 计。</translation></message>
    <message><source>The package of {} is another one than the parent's.</source><translation>%1 的编译包与父运行的不同。</translation></message>
    <message><source>The package of {} is not the one that the run was trained with: its SHA-256 is {} and was {}.</source><translation>%1 的编译包不是该运行训练时所用的：其 SHA-256 现为 %2，当时为 %3。</translation></message>
    <message><source>Put the package back as it was, or start a new run.</source><translation>请把编译包恢复原状，或开始新的运行。</translation></message>
    <message><source>{} will be {} from step {} on.</source><translation>从第 %3 步起 %1 将为 %2。</translation></message>
    <message><source>Step {} was the run's last, so no step took what was told after it: {}.</source><translation>第 %1 步是运行的最后一步，因此没有步用到此后提出的更改：%2。</translation></message>
    <message><source>The run has done its last step, {}, so {} comes too late.</source><translation>运行已做完最后一步（第 %1 步），因此 %2 来得太晚。</translation></message>
    <message><source>Tell a run that is on, or change the project: the next run takes it.</source><translation>请对正在进行的运行提出，或更改项目：下次运行会采用。</translation></message>
    <message><source>Resume it once it has ended.</source><translation>请在它结束之后继续它。</translation></message>
    <message><source>The run has done {}, and is to end after {} of them.</source><translation>运行已做了%1，却要在第 %2 步之后结束。</translation></message>
    <message><source>Give --max-steps more than {}, as it counts from the run's first step, or leave it out.</source><translation>请给出大于 %1 的 --max-steps（它从运行的第一步算起），或省略它。</translation></message>
    <message><source>Operations are to use {} threads, more than the cores that this program may use here ({}): the threads wait for each other, so a step takes longer, and so does a stop. Set training.threads to {}, or to 0, which lets the program choose.</source><translation>运算要使用 %1 个线程，多于本程序在此可用的核心（%2）：线程彼此等待，因此每一步更慢，停止也更慢。请把 training.threads 设为 %3，或设为 0 让程序选择。</translation></message>
    <message><source>Set threads to {}</source><translation>把 threads 设为 %1</translation></message>
    <message><source>BatchNorm's statistics in this checkpoint are not those of the averaged weights: they are taken anew before a validation, a best checkpoint and the run's end.</source><translation>此检查点中 BatchNorm 的统计不是平均权重的：它们在验证、最佳检查点和运行结束之前重新统计。</translation></message>
    <message><source>An event of the run takes {} MB, and at most {} MB of one are read</source><translation>运行的一个事件占 %1 MB，而一个事件最多读取 %2 MB</translation></message>
    <message><source>Measure tables of fewer classes, as confusion_matrix.</source><translation>请测量类别更少的表，例如 confusion_matrix。</translation></message>
    <message><source>The run does not pause: it is stopping.</source><translation>运行不会暂停：它正在停止。</translation></message>
    <message><source>The run does not go on: it is stopping.</source><translation>运行不会继续：它正在停止。</translation></message>
    <message><source>The run is not paused.</source><translation>运行没有暂停。</translation></message>
    <message><source>It needs no word to go on.</source><translation>它不需要继续的指令。</translation></message>
</context>
</TS>
