#pragma once
// What every program of ours does before anything else.

namespace plumbline {

/// A pipe whose reader has gone and a file at its limit of size become errors of a write instead of ends of the
/// program. Standard input, output and error are there even if the program was started without them: otherwise the
/// first file that is opened would take their number, and messages would be written into it.
void prepareProgram();

}  // namespace plumbline
