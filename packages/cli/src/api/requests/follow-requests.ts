import { endedStates } from '@signalbox/contract'
import { CliError } from '../../terminal/cli-error.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Output } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import type { Progress } from '../../terminal/progress.ts'
import type { Api } from '../api.ts'
import type { ChangeRequest, Environment, Organization } from '../operations.ts'
import { listMade, type Writes } from '../proofs/prove-writes.ts'
import type { ChangesRequested } from './changes-requested.ts'
import { describeState, listMissing, nameRequest, toRequestPage } from './describe-request.ts'
import { waitForRequest } from './wait-for-request.ts'

/** Holds what follows requests. */
interface Follow {
  readonly api: Api
  readonly organization: Organization
  readonly output: Output
  readonly progress: Progress
  readonly writes: Writes
}

/**
 * Prints the requests that a command has made, and whose approval they wait for. With a time to wait, applies them once they are
 * approved. Returns how the command ends: with 9 while a request waits.
 *
 * @throws {CliError} `request_declined`, `request_withdrawn`, `request_expired`, `request_failed`
 */
export async function followRequests(
  { api, organization, output, progress, writes }: Follow,
  { requests, document }: ChangesRequested,
  waitMs: number | undefined,
): Promise<{ readonly exitWith: number } | undefined> {
  const environments = await api.environments(organization.id)
  const pageOf = (request: ChangeRequest) => toRequestPage(api.serverUrl, organization, request)
  const describe = (request: ChangeRequest) =>
    describeWaiting(request, environments, pageOf(request))
  let last = requests
  if (waitMs !== undefined) {
    const note = (text: string) => {
      output.note(text)
    }
    note(requests.map(describe).join('\n'))
    const deadline = Date.now() + waitMs
    const numbers = requests.map(({ number }) => number).join(', ')
    last = await progress(`Waiting for the approval of request ${numbers}`, () =>
      Promise.all(
        requests.map((request) =>
          waitForRequest({ api, orgId: organization.id, request, deadline, note }),
        ),
      ),
    )
  }
  const ended = last.find(({ state }) => isLost(state))
  if (ended !== undefined) throw lost(ended, pageOf(ended))
  writes.made.push(...last.flatMap(listMade))
  const waits = last.some(({ state }) => state !== 'applied')
  output.document({
    ...document,
    waits,
    requests: last.map((request) => ({ ...request, page: pageOf(request) })),
  })
  for (const request of last) {
    output.result(
      request.state === 'applied'
        ? `${output.styles.green('✓')} ${describeApplied(request, environments)}`
        : describe(request),
    )
  }
  return waits ? { exitWith: exitCodes.waiting } : undefined
}

function describeWaiting(
  request: ChangeRequest,
  environments: readonly Environment[],
  page: string,
): string {
  const { number, state, applyAt } = request
  const command = `signalbox requests apply ${number}`
  const next =
    applyAt !== null
      ? [`Once it is approved, it applies itself at ${applyAt}.`]
      : [state === 'approved' ? `Apply it: ${command}` : `Once it is approved: ${command}`]
  return [
    `${nameRequest(request)} ${describeState(request)}: ${printable(request.title)}`,
    ...[...listMissing(request, environments), page, ...(state === 'scheduled' ? [] : next)].map(
      (line) => `  ${line}`,
    ),
  ].join('\n')
}

/** Names the versions that an applied request has made. Example: `Applied request 12  production v8`. */
export function describeApplied(
  { number, appliedVersions = [] }: ChangeRequest,
  environments: readonly Environment[],
): string {
  const versions = appliedVersions.map(({ environmentId, version }) => {
    const name = environments.find(({ id }) => id === environmentId)?.name ?? environmentId
    return `  ${printable(name)} v${version}`
  })
  return `Applied request ${number}${versions.join('')}`
}

function isLost(state: ChangeRequest['state']): boolean {
  return state === 'declined' || (state !== 'applied' && endedStates.some((each) => each === state))
}

/** Returns the error of a request that ended without being applied, with the words of those who declined it. */
function lost(request: ChangeRequest, page: string): CliError {
  const { state, failure, reviews } = request
  const declines = reviews.filter(({ verdict, counts }) => verdict === 'decline' && counts)
  const why = state === 'failed' && failure !== undefined ? ` ${failure.detail}` : ''
  const message = `${nameRequest(request)} ${describeState(request)}.${why}`
  return new CliError('failure', `request_${state}`, message, {
    details: declines.map(({ member, text }) => `${member.name}: ${text === '' ? 'No' : text}`),
    advice: page,
  })
}
