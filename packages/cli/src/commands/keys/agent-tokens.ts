import { buildCommand, buildRouteMap } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { chooseByName } from '../../api/api.ts'
import { confirmChange } from '../../changes/confirm.ts'
import { globalFlags, type CliContext, type GlobalFlags } from '../../cli-context.ts'
import { openPage } from '../../device-login/open-page.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'

async function listTokens(session: Session): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const tokens = await session.progress('Reading the agent tokens', () =>
    api.agentTokens(organization.id),
  )
  const { output } = session
  output.document({ agentTokens: tokens })
  const rows = tokens.map(({ name, scope, member, client, lastUsedAt, expiresAt, id }) => [
    output.styles.bold(printable(name)),
    scope === 'write' ? output.styles.yellow('applies') : 'reads',
    `for ${printable(member.name)}`,
    lastUsedAt === null
      ? 'never used'
      : `used ${lastUsedAt.slice(0, 10)} by ${printable(client ?? 'an assistant')}`,
    `ends ${expiresAt.slice(0, 10)}`,
    output.styles.dim(id),
  ])
  output.data(
    rows.length === 0
      ? 'There are no agent tokens. Create one: signalbox agent-tokens create'
      : renderTable(rows),
  )
}

async function createToken(session: Session): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const url = `${api.serverUrl}/${organization.slug}/keys?panel=agent`
  output.document({ url })
  output.note(
    'An agent token is created in the browser, because no token may create another one. The page shows it once:',
  )
  output.data(url)
  if (!output.json) openPage(url, session.env)
}

async function endToken(session: Session, flags: GlobalFlags, ref: string): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const token = chooseByName(await api.agentTokens(organization.id), ref, {
    noun: 'agent token',
    code: 'token_not_found',
    create: 'signalbox agent-tokens list',
  })
  const { output } = session
  if (flags.dryRun) {
    output.document({ dryRun: true, agentToken: token })
    output.result(`Would end the agent token ${printable(token.name)}.`)
    return
  }
  await confirmChange(session, {
    environment: { name: token.name, production: false },
    question: `End the agent token ${token.name} of ${token.member.name}?`,
    elsewhere: 'always',
  })
  await api.call('endAgentToken', {
    params: { org_id: organization.id, agent_token_id: token.id },
  })
  output.document({ ended: token.id, name: token.name })
  output.result(`${output.styles.green('✓')} ${printable(token.name)} has ended.`)
}

const list = buildCommand<GlobalFlags, [], CliContext>({
  func: action(listTokens),
  parameters: { flags: globalFlags },
  docs: {
    brief: 'List the agent tokens',
    fullDescription: describe(
      'Lists your agent tokens, each with the assistant that used it last. Admins see those of every member.',
      ['signalbox agent-tokens'],
    ),
  },
})

const create = buildCommand<GlobalFlags, [], CliContext>({
  func: action(createToken),
  parameters: { flags: globalFlags },
  docs: {
    brief: 'Open the page that creates an agent token',
    fullDescription: describe(
      'Opens the page of the dashboard that creates an agent token, and prints its address. A token cannot create another token, so this takes your browser.',
      ['signalbox agent-tokens create'],
    ),
  },
})

const end = buildCommand<GlobalFlags, [string], CliContext>({
  func: action(endToken),
  parameters: {
    flags: globalFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          brief: 'Name or id of the agent token',
          parse: (text: string) => text,
          placeholder: 'name',
        },
      ],
    },
  },
  docs: {
    brief: 'End an agent token',
    fullDescription: describe(
      'Ends an agent token immediately: the assistant can no longer use it.',
      ['signalbox agent-tokens end laptop --yes'],
    ),
  },
})

/** Defines `signalbox agent-tokens`, whose default is the list. */
export const agentTokensRoutes = buildRouteMap<'list' | 'create' | 'end', CliContext>({
  routes: { list, create, end },
  defaultCommand: 'list',
  docs: { brief: 'List, create and end the tokens of assistants' },
})
