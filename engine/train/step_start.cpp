#include "train/step_start.h"

namespace plumbline::train {

StepStart::StepStart(model::Model& model) {
    for (const model::NamedState& buffer : model.buffers()) {
        if (!buffer.shared) {
            m_buffers.add(buffer.tensor);
        }
    }
}

void StepStart::remember() {
    m_remembered = false;
    m_buffers.keep();
    copyGenerators(m_generators);
    m_remembered = true;
}

bool StepStart::putBack() {
    if (!m_remembered) {
        return false;
    }
    m_buffers.putBack();
    restoreGenerators(m_generators);
    m_remembered = false;
    return true;
}

}  // namespace plumbline::train
