import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../architecture/source-files.ts'

/** Returns the configuration of nats-server that the guide shows. */
export function readGuideConfig(): string {
  const guide = readFileSync(join(root, 'docs/guide/operations.md'), 'utf8')
  const [, config] = /^```conf\n([\s\S]*?)^```$/m.exec(guide) ?? []
  if (config === undefined) throw new Error('The guide shows no configuration of nats-server')
  return config
}
