import { CliError } from '../../terminal/cli-error.ts'
import { countOf } from '../../terminal/count.ts'
import type { Output } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import type { Progress } from '../../terminal/progress.ts'
import type { Api } from '../api.ts'
import type { Organization, ProofSummary } from '../operations.ts'
import { rereadUntil } from '../reread-until.ts'
import { describeProof, nameSubject } from './describe-proof.ts'
import type { MadeVersion } from './prove-writes.ts'

interface Follow {
  readonly api: Api
  readonly organization: Organization
  readonly output: Output
  readonly progress: Progress
}

/**
 * Says in one line for each version that a command has made how it is watched. With a time to wait, waits until each is judged.
 *
 * @throws {CliError} `change_restored` where one was taken back, else `change_not_proven`
 */
export async function followProofs(
  { api, organization, output, progress }: Follow,
  made: readonly MadeVersion[],
  waitMs: number | undefined,
): Promise<void> {
  const orgId = organization.id
  const all = await Promise.all(made.map((version) => findProofs(api, orgId, version)))
  const proofs = all.flat()
  if (waitMs === undefined || proofs.length === 0) {
    for (const proof of proofs) output.note(`  ${describeWatch(proof)}`)
    return
  }
  const deadline = Date.now() + waitMs
  const ended = await progress(`Waiting for ${countOf(proofs.length, 'proof')}`, () =>
    Promise.all(proofs.map((proof) => waitForProof(api, orgId, proof, deadline))),
  )
  for (const proof of ended) {
    if (proof.state === 'proven')
      output.note(`${output.errorStyles.green('✓')} ${describeProof(proof)}: ${nameSubject(proof)}`)
  }
  const failed = ended.filter(({ state }) => state !== 'proven')
  if (failed.length > 0) throw notProven(failed)
}

/** Finds the proof of a version, which has none where nothing watches it. */
async function findProofs(
  api: Api,
  orgId: string,
  made: MadeVersion,
): Promise<readonly ProofSummary[]> {
  const params = { org_id: orgId }
  if ('versionId' in made)
    return (await api.call('listProofs', { params, query: { version: made.versionId } })).items
  const { schemaId, environmentId, version } = made
  const query = { schema: schemaId, environment: environmentId, limit: 20 }
  const { items } = await api.call('listProofs', { params, query })
  return items.filter(({ subject }) => subject.version === version)
}

function describeWatch(proof: ProofSummary): string {
  const { signals, terms, state } = proof
  const what = `${nameSubject(proof)}: ${describeProof(proof)}`
  if (state !== 'watching') return what
  const names = signals.map(({ name }) => printable(name)).join(', ')
  const then = terms.onFailure === 'restore' ? 'taken back' : 'told'
  return `${what}. ${names} ${signals.length === 1 ? 'watches' : 'watch'} it. If it turns bad, it is ${then}.`
}

async function waitForProof(
  api: Api,
  orgId: string,
  proof: ProofSummary,
  deadline: number,
): Promise<ProofSummary> {
  const input = { params: { org_id: orgId, proof_id: proof.id } }
  return rereadUntil<ProofSummary>({
    first: proof,
    reread: (etag) => api.callAgain('getProof', input, etag),
    deadline,
    isEnded: ({ state }) => state !== 'watching',
  })
}

/** Returns the error of changes that were taken back, or that nothing has proven. */
function notProven(proofs: readonly ProofSummary[]): CliError {
  const isRestored = proofs.some(({ restoredVersions }) => restoredVersions.length > 0)
  const details = proofs.map((proof) => `${nameSubject(proof)}: ${describeProof(proof)}`)
  return isRestored
    ? new CliError('restored', 'change_restored', 'The change was taken back by its proof.', {
        details,
        advice: 'See what was read: signalbox proofs',
      })
    : new CliError('failure', 'change_not_proven', 'The change is live, and it is not proven.', {
        details,
        advice: 'See what was read: signalbox proofs',
      })
}
