// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/package_trust.h"

#include <QApplication>
#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>
#include <utility>

#include "core/text.h"
#include "core/trusted_files.h"
#include "gui/background.h"
#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/workspace.h"
#include "project/package_fit.h"

namespace plumbline::gui {

namespace {

struct PackageTrust {
    Q_DECLARE_TR_FUNCTIONS(PackageTrust)
};

struct Found {
    project::PackageUse use;
    FileSum sum;
    bool trusted = false;
};

/// Instances of a definition share a place in the project and may name a file each: the first that may not run is the
/// one that the run was refused for. The last one, where all are trusted by now.
Result<Found> firstUntrusted(const std::vector<project::PackageUse>& uses) {
    Found found;
    for (const project::PackageUse& use : uses) {
        PLUMBLINE_ASSIGN(const FileSum sum, sumOf(use.file));
        PLUMBLINE_ASSIGN(const bool trusted, isTrusted(sum.sha256));
        found = {use, sum, trusted};
        if (!trusted) {
            break;
        }
    }
    return found;
}

void tellTrusted(Workspace& workspace) {
    workspace.tell(widgets::Severity::Good,
                   PackageTrust::tr("The package is trusted. Once it changes, it is asked about again."), {},
                   PackageTrust::tr("Run"), [&workspace] { workspace.requestRun(); });
}

void trust(Workspace& workspace, const std::filesystem::path& file, const FileSum& sum) {
    if (const Status done = trustFile(file, sum); !done) {
        workspace.tell(done.error());
        return;
    }
    tellTrusted(workspace);
}

void ask(Workspace& workspace, const project::PackageUse& use, const FileSum& sum) {
    auto* box = new QMessageBox(
        QMessageBox::Warning, PackageTrust::tr("Trust this package?"),
        PackageTrust::tr(
            "%1 is native code: while a run goes on it may do all that you may do, with your files and your network.")
            .arg(text(oneLine(use.file.string()))),
        QMessageBox::NoButton, QApplication::activeWindow());
    box->setObjectName(QStringLiteral("dialog_trust_package"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        PackageTrust::tr("Trust it only if you know where it comes from.\n\nBlock: %1\nSize: %2\nSHA-256: %3")
            .arg(text(oneLine(use.block)), bytesText(static_cast<double>(sum.bytes)), text(sum.sha256)));
    QAbstractButton* yes = box->addButton(PackageTrust::tr("Trust"), QMessageBox::AcceptRole);
    QPushButton* cancel = box->addButton(PackageTrust::tr("Cancel"), QMessageBox::RejectRole);
    yes->setObjectName(QStringLiteral("trust_package"));
    cancel->setObjectName(QStringLiteral("trust_nothing"));
    box->setDefaultButton(cancel);
    box->setEscapeButton(cancel);
    QObject::connect(box, &QMessageBox::buttonClicked, &workspace,
                     [&workspace, yes, use, sum](QAbstractButton* clicked) {
                         if (clicked == yes) {
                             trust(workspace, use.file, sum);
                         }
                     });
    nameDialogButtons(*box);
    box->open();
}

}  // namespace

void askToTrustPackage(Workspace& workspace, const std::string& pointer) {
    const graph::ResolvedModel& model = workspace.document().report().model;
    std::vector<project::PackageUse> uses = project::packagesOf(model, workspace.document().project().folder);
    std::erase_if(uses, [&](const project::PackageUse& one) {
        const graph::ResolvedNode* node = model.find(one.block);
        return node == nullptr || node->pointer != pointer;
    });
    if (uses.empty()) {
        return;  // the model is another one by now
    }
    runInBackground(
        &workspace, [uses = std::move(uses)] { return firstUntrusted(uses); },
        [&workspace](const Result<Found>& found) {
            if (!found) {
                workspace.tell(found.error());
            } else if (found->trusted) {
                tellTrusted(workspace);
            } else {
                ask(workspace, found->use, found->sum);
            }
        });
}

}  // namespace plumbline::gui
