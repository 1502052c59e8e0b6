#!/bin/bash
#SBATCH -n 4 --gres=gpu:4
# Says what steps of srun do, once by each srun: $1 has a folder with another one, or is empty.
[ -z "$1" ] || export PATH="$1:$PATH" REMUDA_SBATCH=4 REMUDA_SCRATCH=$PWD
unset LANG LC_ALL TMPDIR
export JOB_OF_STEPS=$SLURM_JOB_ID
steps() {
  while IFS= read -r step; do
    echo "== $step"
    bash -c "$step"'; echo "code $?"' 2>&1 </dev/null \
      | grep -vE 'temporarily disabled|Step created|Force Terminated|still disabled|lacks support for cpu|step aborted|CANCELLED' \
      | sed -E "s/\b$JOB_OF_STEPS\b/JOB/g; s/tasks 0-1: (.*)/task 0: \1\nsrun: error: HOST: task 1: \1/; s/(error: |slurmstepd-)(gpu[0-9]+|HOST):/\1HOST:/; s/StepId=JOB.[0-9]+/STEP/" \
      | sort
  done
}
steps <<'END'
srun sh -c 'echo $SLURM_PROCID $SLURM_LOCALID $SLURM_NODEID $SLURM_NTASKS $SLURM_NPROCS'
srun -n 2 sh -c 'echo $SLURM_STEP_NUM_NODES $SLURM_STEP_NUM_TASKS $SLURM_STEP_TASKS_PER_NODE $SLURM_TASKS_PER_NODE $SLURM_GTIDS $SLURM_DISTRIBUTION $SLURM_LAUNCH_NODE_IPADDR $SLURM_SRUN_COMM_HOST $SLURM_UMASK'
srun -n 2 sh -c 'test $SLURM_STEP_ID = $SLURM_STEPID -a $SLURM_STEP_NODELIST = $SLURM_JOB_NODELIST -a $SLURM_TASK_PID = $$ && echo same'
srun -n 1 env | sed -n 's/^\(SLURM[A-Z_]*\|SRUN[A-Z_]*\)=.*/\1/p' | grep -vE 'COMM_PORT|LAUNCHER_PORT|PACK_GROUP'
srun -n 2 sh -c 'exit $((SLURM_PROCID + 2))'
srun -n 1 sh -c 'kill -9 $$'
srun -n 2 sh -c 'test $SLURM_PROCID = 1 || kill -TERM $$'
srun -n 1 nosuchprogram
srun -n 1 /tmp
srun -n 2 -l printf 'a\nb\n'
srun -O -n 12 -l echo x
printf '1\n2\n' | srun -n 2 -l cat
printf '1\n2\n' | srun -n 2 -l -i 1 cat
printf '1\n2\n' | srun -n 2 -l -i none cat
rm -f o.*; srun -n 2 -o o.%j.%t.%n.%3t.%a.%A.%u.%x.%% sh -c 'echo out; echo err >&2'; ls o.*; cat o.*
rm -f o.*; srun -n 2 -o o.1 -e o.2 sh -c 'echo out; echo err >&2'; head o.*
srun -n 2 -o none sh -c 'echo out; echo err >&2'
srun -n 2 -o 1 sh -c 'echo $SLURM_PROCID; echo err >&2'
echo old >f; srun -n 1 -o f --open-mode=append echo new; cat f
echo old >f; srun -n 1 -o f echo new; cat f
srun -n 1 -D /usr pwd
A=1 B=2 srun -n 1 --export=ALL,C=3 env | grep '^[ABC]='
A=1 B=2 srun -n 1 --export=A,PATH,C=3 env | grep '^[ABC]='
printf '0 echo zero %%t %%o\n1-2 echo mid %%t %%o\n* echo rest %%t\n' >m; srun -n 4 -l --multi-prog m x
printf '0 echo zero\n' >m; srun -n 2 --multi-prog m
srun -n 2 --gpus=2 -l sh -c 'echo $CUDA_VISIBLE_DEVICES $SLURM_STEP_GPUS $SLURM_GPUS_ON_NODE'
srun -n 2 --gpus-per-task=1 -l sh -c 'echo $CUDA_VISIBLE_DEVICES $SLURM_STEP_GPUS $SLURM_GPUS_ON_NODE'
srun -n 2 --gres=none -l sh -c 'echo x$CUDA_VISIBLE_DEVICES $SLURM_STEP_GPUS'
srun -n 4 --gpu-bind=single:1 -l sh -c 'echo $CUDA_VISIBLE_DEVICES'
srun -n 1 --gpus=9 true
srun -n 9 true
srun --nosuch
srun -n
srun -7 true
srun -n x true
srun --nt=2 true
srun --label=1 true
srun -n 1
srun -n 1 -t bogus true
srun -n 1 -W x true
srun -n 1 -J name sh -c 'echo $SLURM_JOB_NAME'
srun -n 1 -K sh -c 'exit 3' 2>&1 | grep -v _step_signal
SLURM_LABELIO=1 srun -n 1 echo x
srun -Q -n 1 sh -c 'exit 3'
END
