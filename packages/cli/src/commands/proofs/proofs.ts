import { proofStates, toHref } from '@signalbox/contract'
import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import type { Proof, ProofSummary } from '../../api/operations.ts'
import { describeProof, nameSubject } from '../../api/proofs/describe-proof.ts'
import { ApiError } from '../../api/problem-error.ts'
import { type CliContext, textFlag } from '../../cli-context.ts'
import { openPage } from '../../device-login/open-page.ts'
import { briefs } from '../../help/briefs.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { Output } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import type { Styles } from '../../terminal/styles.ts'
import { renderTable } from '../../terminal/table.ts'

const proofArgument = { brief: 'Id of the proof', placeholder: 'proof' } as const

const mostListed = 50

const list = defineCommand({
  brief: 'List the proofs of changes',
  about:
    'Lists the newest 50 proofs: which version each watches, how it stands or has ended, and why.',
  examples: [
    'signalbox proofs',
    'signalbox proofs --state watching',
    'signalbox proofs --environment production',
  ],
  flags: {
    state: {
      kind: 'enum',
      values: proofStates,
      optional: true,
      brief: 'Only those in this state',
    },
    environment: textFlag('name', 'Only those of this environment'),
  },
  run: async (session, { state, environment }) => {
    const { api, organization } = await openOrganization(session)
    const { items } = await session.progress('Reading the proofs', async () =>
      api.call('listProofs', {
        params: { org_id: organization.id },
        query: {
          limit: mostListed,
          ...(state !== undefined && { state }),
          ...(environment !== undefined && {
            environment: (await api.environment(organization.id, environment)).id,
          }),
        },
      }),
    )
    const { output } = session
    output.document({ proofs: items })
    output.data(
      items.length === 0
        ? 'There are no such proofs. A command that writes asks for one with --prove 15m --signal <name>.'
        : renderTable(items.map((proof) => rowOf(proof, output.styles))),
    )
  },
})

function rowOf(proof: ProofSummary, styles: Styles): readonly string[] {
  const { id, startedAt } = proof
  return [
    nameSubject(proof),
    colorOf(proof.state, styles)(describeProof(proof)),
    startedAt.slice(0, 16).replace('T', ' '),
    styles.dim(id),
  ]
}

function colorOf(state: ProofSummary['state'], { green, yellow, red, dim }: Styles) {
  if (state === 'proven') return green
  if (state === 'failed') return red
  return state === 'stopped' ? dim : yellow
}

const show = defineCommand({
  brief: 'Show a proof',
  about: 'Shows a proof: what it watches, each signal with its readings, and how it has ended.',
  examples: ['signalbox proofs show prf_01HX2M', 'signalbox proofs show prf_01HX2M --json'],
  args: [proofArgument],
  run: async (session, _flags, id) => {
    const { proof } = await findProof(session, id)
    const { output } = session
    output.document({ proof })
    output.data(renderProof(output, proof))
  },
})

/** Finds the proof with this id. @throws {CliError} `proof_not_found` */
async function findProof(session: Session, id: string) {
  const target = await openOrganization(session)
  const params = { org_id: target.organization.id, proof_id: id }
  try {
    return { ...target, proof: await target.api.call('getProof', { params }) }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 422)) throw error
    throw new CliError('failure', 'proof_not_found', `There is no proof "${id}".`, {
      advice: 'Name it by its id, which is in the list: signalbox proofs',
    })
  }
}

function renderProof({ styles }: Output, proof: Proof): string {
  const { keys, signals, readings, terms, restoredVersions } = proof
  const nameOf = (id: string) => printable(signals.find((each) => each.id === id)?.name ?? id)
  const goesBack = terms.onFailure === 'restore' ? 'restored' : 'told'
  return [
    styles.bold(nameSubject(proof)),
    `  ${colorOf(proof.state, styles)(describeProof(proof))}`,
    `  ${keys.map(printable).join(', ')}`,
    `  ${terms.minutes} min, ${goesBack} at ${terms.failures} bad readings`,
    ...restoredVersions.map(
      ({ environment, version, keys: back }) =>
        `  back in ${printable(environment)} v${version}: ${back.map(printable).join(', ')}`,
    ),
    ...signals.map(
      ({ name, kind, good, bad, none }) =>
        `  ${printable(name)} (${kind}): ${good} good, ${bad} bad, ${none} without data`,
    ),
    ...readings
      .slice(-shownReadings)
      .map(
        ({ at, signal, verdict, value, detail }) =>
          `    ${at.slice(11, 19)} ${nameOf(signal)} ${verdict === 'none' ? 'no data' : verdict}${value === null ? '' : ` ${value}`}${detail === null ? '' : `  ${printable(detail)}`}`,
      ),
  ].join('\n')
}

const shownReadings = 20

const stop = defineCommand({
  brief: 'Open the page on which you end a proof',
  about:
    'Opens the page of a watched version in your browser, and prints its address. You end its proof there, as proven or without a result: no token may, so that no program can.',
  examples: ['signalbox proofs stop prf_01HX2M'],
  args: [proofArgument],
  run: async (session, _flags, id) => {
    const { api, organization, proof } = await findProof(session, id)
    const { output } = session
    const { schemaId, versionId } = proof.subject
    const page = toHref({ page: 'history', search: { schema: schemaId, version: versionId } })
    const url = `${api.serverUrl}/${organization.slug}${page}`
    output.document({ url, proof })
    output.note(
      'A person ends a proof, signed in to the dashboard. The page of the version that it watches:',
    )
    output.data(url)
    if (session.prompts.blockedBy === undefined) openPage(url, session.env)
  },
})

/** Defines `signalbox proofs`, whose default is the list. */
export const proofsRoutes = buildRouteMap<'list' | 'show' | 'stop', CliContext>({
  routes: { list, show, stop },
  defaultCommand: 'list',
  docs: { brief: briefs.proofs },
})
