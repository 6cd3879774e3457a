#!/usr/bin/env bash
# The course's eleven commands. Data: $CLEARHEAD_DATA/birthplaces if it is there, else the built-in world.
# RECIPE=course takes the published hyperparameters; MINUTES=5 gives each training so many minutes; RUNS says where runs are kept;
# VARIANT=perceiver-causal makes the four perceiver_ commands train the one that sees everything.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
clearhead="$here/.venv/bin/clearhead"
[ -x "$clearhead" ] || clearhead=clearhead
recipe=${RECIPE:-fast}
runs=${RUNS:-runs}
variant=${VARIANT:-perceiver}
names="vanilla_pretrain vanilla_finetune_without_pretrain vanilla_eval_dev_without_pretrain vanilla_eval_test_without_pretrain \
vanilla_finetune_with_pretrain vanilla_eval_dev_with_pretrain vanilla_eval_test_with_pretrain \
perceiver_pretrain perceiver_finetune_with_pretrain perceiver_eval_dev_with_pretrain perceiver_eval_test_with_pretrain"

data=()
if [ -d "${CLEARHEAD_DATA:-/nonexistent}/birthplaces" ]; then data=(--data "$CLEARHEAD_DATA/birthplaces"); fi
minutes=()
if [ -n "${MINUTES:-}" ]; then minutes=(--minutes "$MINUTES"); fi

# train STAGE FOLDER [OPTION…]: go on with a run that is there already, else start it
train() {
    local stage=$1 folder=$2
    shift 2
    if [ -e "$folder/recipe.toml" ]; then
        exec "$clearhead" birthplaces "$stage" --out "$folder" --resume
    fi
    exec "$clearhead" birthplaces "$stage" --out "$folder" --recipe "$recipe" "${data[@]}" "${minutes[@]}" "$@"
}

# evaluate FOLDER dev|test FILE
evaluate() {
    exec "$clearhead" birthplaces evaluate --out "$1" --questions "$2" --predictions "$3"
}

case "${1:-}" in
    vanilla_pretrain) train pretrain "$runs/vanilla.pretrain" ;;
    vanilla_finetune_without_pretrain) train finetune "$runs/vanilla.nopretrain" ;;
    vanilla_finetune_with_pretrain) train finetune "$runs/vanilla.finetune" --start "$runs/vanilla.pretrain" ;;
    vanilla_eval_dev_without_pretrain) evaluate "$runs/vanilla.nopretrain" dev vanilla.nopretrain.dev.predictions ;;
    vanilla_eval_test_without_pretrain) evaluate "$runs/vanilla.nopretrain" test vanilla.nopretrain.test.predictions ;;
    vanilla_eval_dev_with_pretrain) evaluate "$runs/vanilla.finetune" dev vanilla.pretrain.dev.predictions ;;
    vanilla_eval_test_with_pretrain) evaluate "$runs/vanilla.finetune" test vanilla.pretrain.test.predictions ;;
    perceiver_pretrain) train pretrain "$runs/$variant.pretrain" --variant "$variant" ;;
    perceiver_finetune_with_pretrain)
        train finetune "$runs/$variant.finetune" --variant "$variant" --start "$runs/$variant.pretrain" ;;
    perceiver_eval_dev_with_pretrain) evaluate "$runs/$variant.finetune" dev "$variant.pretrain.dev.predictions" ;;
    perceiver_eval_test_with_pretrain) evaluate "$runs/$variant.finetune" test "$variant.pretrain.test.predictions" ;;
    *)
        echo "run.sh: one name was expected; got '${1:-}'. Names: $names" >&2
        exit 2
        ;;
esac
