import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import { chooseByName } from '../../api/api.ts'
import type { AgentToken } from '../../api/operations.ts'
import { askToDelete, carryOut, defineList } from '../../changes/resource-commands.ts'
import type { CliContext } from '../../cli-context.ts'
import { openPage } from '../../device-login/open-page.ts'
import { openOrganization } from '../../target.ts'
import { printable } from '../../terminal/printable.ts'

const list = defineList<AgentToken>({
  noun: 'agent tokens',
  word: 'agent-tokens',
  member: 'agentTokens',
  about:
    'Lists your agent tokens, each with the assistant that used it last. Admins see those of every member.',
  create: 'Create one: signalbox agent-tokens create',
  read: (api, orgId) => api.agentTokens(orgId),
  rowOf: ({ name, scope, member, client, lastUsedAt, expiresAt, id }, styles) => [
    styles.bold(printable(name)),
    scope === 'write' ? styles.yellow('applies') : 'reads',
    `for ${printable(member.name)}`,
    lastUsedAt === null
      ? 'never used'
      : `used ${lastUsedAt.slice(0, 10)} by ${printable(client ?? 'an assistant')}`,
    `ends ${expiresAt.slice(0, 10)}`,
    styles.dim(id),
  ],
})

const create = defineCommand({
  brief: 'Open the page that creates an agent token',
  about:
    'Opens the page of the dashboard that creates an agent token, and prints its address. A token cannot create another token, so this takes your browser.',
  examples: ['signalbox agent-tokens create'],
  run: async (session) => {
    const { api, organization } = await openOrganization(session)
    const { output } = session
    const url = `${api.serverUrl}/${organization.slug}/keys?panel=agent`
    output.document({ url })
    output.note(
      'An agent token is created in the browser, because no token may create another one. The page shows it once:',
    )
    output.data(url)
    if (!output.json) openPage(url, session.env)
  },
})

const end = defineCommand({
  brief: 'End an agent token',
  about: 'Ends an agent token immediately: the assistant can no longer use it.',
  examples: ['signalbox agent-tokens end laptop --yes'],
  args: [{ brief: 'Name or id of the agent token', placeholder: 'name' }],
  run: async (session, _flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const token = chooseByName(await api.agentTokens(organization.id), reference, {
      noun: 'agent token',
      code: 'token_not_found',
      create: 'signalbox agent-tokens list',
    })
    const { id, name, member } = token
    await carryOut(session, {
      would: `end the agent token ${printable(name)}`,
      plan: { agentToken: token },
      ask: askToDelete(name, `End the agent token ${name} of ${member.name}?`),
      send: () =>
        api.call('endAgentToken', { params: { org_id: organization.id, agent_token_id: id } }),
      done: () => [`${printable(name)} has ended.`, { ended: id, name }],
    })
  },
})

/** Defines `signalbox agent-tokens`, whose default is the list. */
export const agentTokensRoutes = buildRouteMap<'list' | 'create' | 'end', CliContext>({
  routes: { list, create, end },
  defaultCommand: 'list',
  docs: { brief: briefs['agent-tokens'] },
})
