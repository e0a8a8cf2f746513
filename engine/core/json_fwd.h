#pragma once
// Json keeps the order of keys, so that a file that is read and written again differs only where it was changed.

#include <nlohmann/json_fwd.hpp>

namespace plumbline {
using Json = nlohmann::ordered_json;
}
