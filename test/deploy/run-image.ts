import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readFile } from 'node:fs/promises'
import type { renderImageConfig } from '../../scripts/image/image-config.ts'

/** Describes a container to start. */
export interface RunImage {
  /** Holds the files of the image. */
  readonly files: string
  readonly config: ReturnType<typeof renderImageConfig>
  /** Names the directory that is mounted at `/data`. It is created. */
  readonly data: string
  readonly env?: Readonly<Record<string, string>>
  /** Takes the place of the image's command. */
  readonly args?: readonly string[]
}

/** Describes a running container. */
export interface Container {
  /** Resolves with the first line of its output that is a JSON object with `event`; rejects with all output if there is none. */
  readonly started: Promise<{
    readonly apiUrl?: string
    readonly configUrl?: string
    readonly metricsUrl?: string
  }>
  output(): string
  /** Holds the number of its first process on this machine. */
  pid(): Promise<number>
  signal(name: 'SIGTERM' | 'SIGKILL'): Promise<void>
  readonly ended: Promise<number | null>
}

/**
 * Starts the files of an image in namespaces of the kernel with the programs of util-linux: a process table of its own, a root
 * that is read-only, the image's user, and no way to get rights. Like a container, apart from its own network and limits.
 */
export async function runInNamespaces({
  files,
  config,
  data,
  env = {},
  args = config.Cmd,
}: RunImage): Promise<Container> {
  const [uid = ''] = config.User.split(':')
  await makeData(data, Number(uid))
  const child = spawn(
    '/usr/bin/unshare',
    [
      '--mount',
      '--propagation',
      'private',
      '/bin/sh',
      '-ec',
      prepareRoot,
      files,
      data,
      uid,
      ...config.Entrypoint,
      ...args,
    ],
    { env: { ...variablesOf(config), ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  // The first process is the child of the `unshare` that the shell has become.
  return watch(child, async () => Number((await childrenOf(child.pid ?? 0))[0]))
}

/** `$0` are the files, `$1` the data, `$2` the user. */
const prepareRoot = `
root=$0 data=$1 user=$2; shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
mount -t tmpfs -o mode=755,size=1m tmpfs "$root/dev"
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
for device in null zero random urandom; do
  : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
exec setpriv --no-new-privs unshare --pid --fork --kill-child --root "$root" --wd /data --mount-proc \\
  --setgid "$user" --setuid "$user" "$@"
`

/** Returns why containers cannot be started in namespaces here; `undefined` where they can. */
export function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'Only root may prepare the file system of a container.'
  const { error, status, stderr } = spawnSync(
    '/usr/bin/unshare',
    ['--mount', '--pid', '--fork', '--mount-proc', 'true'],
    {
      encoding: 'utf8',
    },
  )
  if (error === undefined && status === 0) return undefined
  return `unshare: ${error?.message ?? stderr.trim()}`
}

const variablesOf = ({ Env }: RunImage['config']) =>
  Object.fromEntries(
    Env.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  )

async function makeData(data: string, uid: number): Promise<void> {
  await mkdir(data, { recursive: true, mode: 0o700 })
  await chown(data, uid, uid)
}

async function childrenOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean)
}

function watch(child: ChildProcess, pid: () => Promise<number>): Container {
  let output = ''
  const ended = once(child, 'close').then(() => child.exitCode)
  const started = new Promise<Awaited<Container['started']>>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk.toString()
      const line = /^\{"event":"started".*\}$/m.exec(output)?.[0]
      if (line !== undefined) resolve(JSON.parse(line) as Awaited<Container['started']>)
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    void ended.then((code) => reject(new Error(`It ended with ${code}: ${output}`)))
  })
  // Commands that end have no such line.
  started.catch(() => undefined)
  return {
    started,
    output: () => output,
    pid,
    async signal(name) {
      process.kill(await pid(), name)
    },
    ended,
  }
}
