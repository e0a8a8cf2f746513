#include "train/recalibration.h"

#include <ATen/core/grad_mode.h>

#include "model/failure.h"
#include "train/evaluation.h"
#include "train/generators.h"
#include "train/step.h"

namespace plumbline::train {

namespace {

/// The statistics are a mean over all batches, and chance draws what it would have drawn, whichever way the scope ends.
class RecalibrationScope {
public:
    explicit RecalibrationScope(model::Model& model)
        : m_model(model), m_generators(saveGenerators()), m_any(model.recalibrate(true)) {}
    ~RecalibrationScope() {
        m_model.recalibrate(false);
        restoreGenerators(m_generators);
    }
    RecalibrationScope(const RecalibrationScope&) = delete;
    RecalibrationScope& operator=(const RecalibrationScope&) = delete;
    bool any() const { return m_any; }

private:
    model::Model& m_model;
    GeneratorStates m_generators;
    bool m_any;
};

}  // namespace

Status recalibrateBatchNorm(model::Model& model, const BatchBinder& binder, data::Loader& loader,
                            plan::Precision precision, at::DeviceType device, RunControl& control,
                            const std::function<void()>& look, StallWatch* stalls) {
    try {
        const at::NoGradGuard noGrad;
        const RecalibrationScope scope(model);
        if (!scope.any()) {
            return {};
        }
        TensorBatch batch;
        loader.seek({});
        for (;;) {
            PLUMBLINE_TRY(passOrStop(control, look));
            auto host = [&] {
                const StallWatch::Waiting waiting(stalls);
                return loader.next(&control);
            }();
            if (!host) {
                return fail(host.error());
            }
            if (!*host) {
                return {};
            }
            {
                const AutocastScope autocast(precision, device);
                binder.bind(**host, batch);
                PLUMBLINE_ASSIGN(const std::vector<at::Tensor> outputs, model.forward(batch.inputs));
                batch.clear();
            }
            loader.recycle(std::move(**host));
        }
    } catch (...) {
        return fail(model::errorOfCurrentException(
            "BatchNorm's statistics could not be taken anew for the averaged weights", ""));
    }
}

}  // namespace plumbline::train
