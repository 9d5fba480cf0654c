import { basename, dirname } from 'node:path'
import { openHttpsUpstream } from '../delivery/relay/https-upstream.ts'
import { readReplica } from '../delivery/relay/read-replica.ts'
import { toEntry } from '../egress/address-guard.ts'
import { createEgress } from '../egress/create-egress.ts'
import { renderReplicaFile, type ReplicaFile } from '../replica/file.ts'
import type { RelaySettings } from '../settings/relay-settings.ts'
import { errorCodeOf } from '../store/error-code.ts'
import { writeWholeFile } from '../store/whole-file.ts'
import { UsageError, type Command } from './command.ts'

const example =
  'SIGNALBOX_ROLES=relay with SIGNALBOX_UPSTREAM_URL, SIGNALBOX_UPSTREAM_KEY and SIGNALBOX_PUBLISHER_KEYS'

/** Writes what a relay would be fed with into a file, for a network that reaches no upstream. */
export const replicaCommand: Command = async ({ settings, operands, json, terminal }) => {
  const [step, file] = operands
  if (step !== 'export' || file === undefined) {
    throw new UsageError(
      'replica takes a step and a file.',
      'signalbox-server replica export values.replica',
    )
  }
  const { relay, egressAllow } = settings()
  if (relay === undefined || 'file' in relay) {
    throw new UsageError('The settings do not say which server to read from.', example)
  }
  const replica = await read(relay, egressAllow)
  await writeWholeFile(dirname(file), basename(file), renderReplicaFile(replica)).catch(
    (error: unknown) => {
      const reason = errorCodeOf(error) === 'ENOENT' ? 'there is no such directory' : String(error)
      throw new UsageError(`${file} cannot be written: ${reason}.`)
    },
  )
  if (json) terminal.out(JSON.stringify({ file, objects: replica.objects.size }))
  else terminal.out(`Wrote ${file}. A relay with SIGNALBOX_UPSTREAM_PATH serves it.`)
  return 0
}

async function read(
  relay: Extract<RelaySettings, { readonly url: string }>,
  allow: readonly string[],
): Promise<ReplicaFile> {
  const egress = createEgress({ allow: [...allow, toEntry(relay.url)] })
  try {
    return await readReplica(openHttpsUpstream({ ...relay, egress }), new Date())
  } finally {
    await egress.close()
  }
}
