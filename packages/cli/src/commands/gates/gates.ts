import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import type { Api } from '../../api/api.ts'
import { defineList } from '../../changes/resource-commands.ts'
import { type CliContext, textFlag } from '../../cli-context.ts'
import { openPage } from '../../device-login/open-page.ts'
import {
  describeDecision,
  type GateDecision,
  listBlocking,
  listWatched,
  nameDecision,
  toDecisionPage,
} from './describe-decision.ts'
import { describeRule, type Gate } from './describe-rule.ts'
import { briefs } from '../../help/briefs.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'

const most = 100

interface ListedGate {
  readonly gate: Gate
  readonly environments: readonly string[]
  readonly rules: readonly string[]
}

async function readGates(api: Api, orgId: string): Promise<ListedGate[]> {
  const query = { limit: most }
  const [{ items }, environments] = await Promise.all([
    api.call('listGates', { params: { org_id: orgId }, query }),
    api.environments(orgId),
  ])
  const nameOf = (id: string) =>
    printable(environments.find((environment) => environment.id === id)?.name ?? id)
  return items.map((gate) => ({
    gate,
    environments: gate.environmentIds.map(nameOf),
    rules: gate.rules.map((rule) => describeRule(rule, nameOf)),
  }))
}

const list = defineList<ListedGate>({
  noun: 'gates',
  word: 'gates',
  member: 'gates',
  about:
    'Lists the gates: the environments of each, whether it holds deployments up or only watches, and its rules. You create and change them in the dashboard, under Gates.',
  create: 'Create one in the dashboard, under Gates.',
  read: readGates,
  rowOf: ({ gate, environments, rules }, styles) => [
    styles.bold(printable(gate.name)),
    environments.join(', '),
    gate.mode === 'watch' ? styles.yellow('only watches') : 'holds up',
    rules.join('; '),
  ],
})

const decisionArgument = { brief: 'Id of the decision, gdc_…', placeholder: 'id' } as const

async function findDecision(session: Session, id: string) {
  const { api, organization } = await openOrganization(session)
  const params = { org_id: organization.id, decision_id: id }
  const decision = await api.call('getGateDecision', { params })
  return { decision, page: toDecisionPage(api.serverUrl, organization.slug, decision) }
}

function rowOf(decision: GateDecision, { styles }: Session['output']): string[] {
  const [first = '', ...others] = decision.state === 'waiting' ? listBlocking(decision) : []
  return [
    styles.bold(nameDecision(decision)),
    printable(decision.repository),
    describeDecision(decision),
    others.length === 0 ? first : `${first} And ${others.length} more.`,
    styles.dim(decision.id),
  ]
}

const decisions = defineCommand({
  brief: 'List the deployments that asked',
  about: 'Lists the newest 100 deployments that asked, by default those that wait.',
  examples: [
    'signalbox gates decisions',
    'signalbox gates decisions --state refused --environment production',
  ],
  flags: {
    state: {
      kind: 'enum',
      values: ['waiting', 'passed', 'refused', 'overridden', 'expired', 'all'],
      optional: true,
      brief: 'Only those in this state (default waiting)',
    },
    environment: textFlag('name', 'Only those to this environment'),
  },
  run: async (session, { state = 'waiting', environment }) => {
    const { api, organization } = await openOrganization(session)
    const { items } = await session.progress('Reading the decisions', async () =>
      api.call('listGateDecisions', {
        params: { org_id: organization.id },
        query: {
          limit: most,
          ...(state !== 'all' && { state }),
          ...(environment !== undefined && {
            environmentId: (await api.environment(organization.id, environment)).id,
          }),
        },
      }),
    )
    const { output } = session
    output.document({ decisions: items })
    output.data(
      items.length === 0
        ? 'There are no such deployments.'
        : renderTable(items.map((decision) => rowOf(decision, output))),
    )
  },
})

const show = defineCommand({
  brief: 'Show what a deployment waits for',
  about: 'Shows one deployment that asked: its state, what holds it up, and who approved it.',
  examples: ['signalbox gates show gdc_01…'],
  args: [decisionArgument],
  run: async (session, _flags, id) => {
    const { decision, page } = await findDecision(session, id)
    const { output } = session
    output.document({ decision, page })
    output.data(
      [
        `${nameDecision(decision)}, ${printable(decision.repository)}: ${describeDecision(decision)}`,
        ...listBlocking(decision).map((line) => `  ${line}`),
        ...listWatched(decision).map((line) => `  only watched: ${line}`),
        ...decision.approvals.map(({ member }) => `  approved by ${printable(member.name ?? '')}`),
        `  ${page}`,
      ].join('\n'),
    )
  },
})

const open = defineCommand({
  brief: 'Open the page on which people decide',
  about:
    'Opens the page of a deployment that waits in your browser, and prints its address. There you approve it, refuse it, or let it go on although its rules are not met. No token does that, so that no program can.',
  examples: ['signalbox gates open gdc_01…'],
  args: [decisionArgument],
  run: async (session, _flags, id) => {
    const { decision, page } = await findDecision(session, id)
    const { output } = session
    output.document({ url: page, decision: { id: decision.id, state: decision.state } })
    output.note('A person decides about a deployment, signed in to the dashboard. Its page:')
    output.data(page)
    if (session.prompts.blockedBy === undefined) openPage(page, session.env)
  },
})

/** Defines `signalbox gates`, whose default is the list. */
export const gatesRoutes = buildRouteMap<'list' | 'decisions' | 'show' | 'open', CliContext>({
  routes: { list, decisions, show, open },
  defaultCommand: 'list',
  docs: { brief: briefs.gates },
})
