import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../network/ports.ts'
import { startProgram } from './start-program.ts'

/** A load balancer of others in front of the nodes of each role. */
export interface LoadBalancer {
  /** Maps the name of each group to the address in front of it. */
  readonly urls: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Sets how often HAProxy asks for `/readyz`, and how many rejections take a node out. */
const checks = 'inter 300ms fall 2 rise 2'

/** Starts HAProxy in front of groups of ports. It repeats no request: what a node refuses, the client sees. */
export async function openLoadBalancer(
  program: string,
  groups: Readonly<Record<string, readonly number[]>>,
): Promise<LoadBalancer> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-haproxy-'))
  const ports = new Map<string, number>()
  for (const name of Object.keys(groups)) ports.set(name, await findFreePort())
  const sections = Object.entries(groups).flatMap(([name, servers]) => [
    `listen ${name}`,
    `  bind 127.0.0.1:${ports.get(name)}`,
    ...servers.map((port, index) => `  server ${name}-${index} 127.0.0.1:${port} check ${checks}`),
  ])
  const lines = [
    'global',
    '  maxconn 4000',
    'defaults',
    '  mode http',
    '  balance roundrobin',
    '  retries 0',
    '  option httpchk GET /readyz',
    '  timeout connect 2s',
    // On a busy machine an answer takes longer than the interval, which would count as a failure.
    '  timeout check 5s',
    '  timeout client 30s',
    '  timeout server 30s',
    ...sections,
  ]
  const file = join(directory, 'haproxy.cfg')
  await writeFile(file, `${lines.join('\n')}\n`)
  const args = ['-db', '-f', file]
  const close = await startProgram({ program, args, directory, ports: ports.values() })
  return {
    urls: Object.fromEntries([...ports].map(([name, port]) => [name, `http://127.0.0.1:${port}`])),
    close,
  }
}
