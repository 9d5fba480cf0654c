import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { startProgram } from '../balanced/start-program.ts'
import { until } from '../proof-service.ts'
import { makeTlsFiles } from './tls-files.ts'

const run = promisify(execFile)

/** Describes a nats-server with TLS, accounts and users, as the guide sets it up. */
export interface SecuredNats {
  /** Example: `tls://localhost:4222`: the client verifies names, and no addresses. */
  readonly url: string
  readonly port: number
  /** Names the file of the authority that clients trust. */
  readonly caFile: string
  /** Replaces the users of the account, and lets the server read its configuration again. */
  setUsers(entries: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** Configures `openSecuredNats`. */
export interface OpenSecuredNats {
  readonly program: string
  readonly openssl: string
  /** Holds the configuration of the guide. */
  readonly config: string
}

/** Finds what stands for a cluster of three in the configuration of the guide: one server has no other to wait for. */
const clusterBlock = /^cluster \{\n[\s\S]*?^\}\n/m
/** Finds the comment that stands for the users. */
const usersLine = /^ *# What "signalbox nats-user" prints.*$/m

/**
 * Starts a nats-server with the configuration of the guide, on this machine. Before that, the server itself judges the whole of
 * it, the cluster included.
 *
 * @throws {Error} with what the server says about its configuration.
 */
export async function openSecuredNats(of: OpenSecuredNats): Promise<SecuredNats> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-nats-'))
  const tls = await makeTlsFiles(of.openssl, directory)
  const whole = placeConfig(of.config, { directory, ...tls })
  const file = join(directory, 'nats-server.conf')
  await writeFile(file, whole)
  await run(of.program, ['-t', '-c', file])
  const alone = whole.replace(clusterBlock, `ports_file_dir: "${directory}"\n`)
  const write = (entries: readonly string[]) =>
    writeFile(
      file,
      alone.replace(usersLine, () => entries.join('\n')),
    )
  await write([])
  const close = await startProgram({
    program: of.program,
    args: ['-c', file],
    directory,
    ports: [],
  })
  let place: ServerPlace | undefined
  await until(async () => (place = await findPlace(directory)) !== undefined, 'the ports of NATS')
  const { pid, port, monitor } = place as unknown as ServerPlace
  return {
    url: `tls://localhost:${port}`,
    port,
    caFile: tls.ca,
    async setUsers(entries) {
      await write(entries)
      const before = await readLoadTime(monitor)
      process.kill(pid, 'SIGHUP')
      await until(async () => (await readLoadTime(monitor)) !== before, 'the new configuration')
    },
    close,
  }
}

interface ServerPlace {
  readonly pid: number
  readonly port: number
  readonly monitor: number
}

const portsFile = z.object({ nats: z.tuple([z.url()]), monitoring: z.tuple([z.url()]) })

/** Reads which ports the server has taken; `undefined` until it has. */
async function findPlace(directory: string): Promise<ServerPlace | undefined> {
  const name = (await readdir(directory)).find((each) => each.endsWith('.ports'))
  const text = name === undefined ? '' : await readFile(join(directory, name), 'utf8')
  if (name === undefined || text === '') return undefined
  const { nats, monitoring } = portsFile.parse(JSON.parse(text))
  const portOf = (url: string) => Number(new URL(url).port)
  return {
    pid: Number(/_(\d+)\.ports$/.exec(name)?.[1]),
    port: portOf(nats[0]),
    monitor: portOf(monitoring[0]),
  }
}

interface Place {
  readonly directory: string
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

/** Replaces the addresses and paths of the guide. */
function placeConfig(config: string, of: Place): string {
  const replaced = [
    ['0.0.0.0:4222', '127.0.0.1:-1'],
    ['127.0.0.1:8222', '127.0.0.1:-1'],
    ['/var/lib/nats', join(of.directory, 'store')],
    ['/etc/nats/tls.crt', of.certificate],
    ['/etc/nats/tls.key', of.key],
    ['/etc/nats/ca.crt', of.ca],
  ] as const
  return replaced.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The configuration of the guide has no ${from}`)
    return text.replaceAll(from, to)
  }, config)
}

/** Reads when the server read its configuration. */
async function readLoadTime(monitor: number): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${monitor}/varz`)
  return ((await answer.json()) as { config_load_time?: unknown }).config_load_time
}
