import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import { toRequestPage } from '../../api/requests/describe-request.ts'
import { describeApplied } from '../../api/requests/follow-requests.ts'
import { carryOut } from '../../changes/resource-commands.ts'
import { type CliContext, momentFlag, switchFlag, textFlag } from '../../cli-context.ts'
import { briefs } from '../../help/briefs.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'
import { findRequest, requestArgument } from './find-request.ts'
import { approveCommand, declineCommand, overrideCommand } from './open-request.ts'
import { renderRequest, rowOf } from './render-request.ts'

const mostListed = 100

const list = defineCommand({
  brief: 'List the change requests',
  about:
    'Lists the newest 100 change requests: number, state, title, author, and for each environment the approvals that it has and needs.',
  examples: [
    'signalbox requests',
    'signalbox requests --mine reviews',
    'signalbox requests --state waiting --environment production',
  ],
  flags: {
    state: {
      kind: 'enum',
      values: [
        'waiting',
        'open',
        'approved',
        'scheduled',
        'declined',
        'applied',
        'withdrawn',
        'expired',
        'failed',
      ],
      optional: true,
      brief: 'Only those in this state; waiting: those that have not ended',
    },
    environment: textFlag('name', 'Only those that change this environment'),
    mine: {
      kind: 'enum',
      values: ['reviews', 'author'],
      optional: true,
      brief: 'Only those that wait for your review, or those that you made',
    },
  },
  run: async (session, { state, environment, mine }) => {
    const { api, organization } = await openOrganization(session)
    const filter = {
      ...(state !== undefined && { state }),
      ...(environment !== undefined && {
        environment: (await api.environment(organization.id, environment)).id,
      }),
      ...(mine !== undefined && { mine }),
    }
    const requests = await session.progress('Reading the requests', () =>
      api.changeRequests(organization.id, filter, mostListed),
    )
    const { output } = session
    output.document({ requests })
    output.data(
      requests.length === 0
        ? 'There are no such requests. A command that writes makes one with --request.'
        : renderTable(requests.map((request) => rowOf(request, output.styles))),
    )
  },
})

const show = defineCommand({
  brief: 'Show a request',
  about:
    'Shows a request: its state, what changes for readers of each environment, its reviews, and the address of its page. Secrets have no value in it.',
  examples: ['signalbox requests show 12', 'signalbox requests show 12 --json'],
  args: [requestArgument],
  run: async (session, _flags, reference) => {
    const { api, organization, request } = await findRequest(session, reference)
    const page = toRequestPage(api.serverUrl, organization, request)
    const { output } = session
    output.document({ request: { ...request, page } })
    output.data(renderRequest(output, request, page))
  },
})

const withdraw = defineCommand({
  brief: 'Withdraw a request',
  about: 'Withdraws a request that waits. Its author and admins may.',
  examples: ['signalbox requests withdraw 12'],
  args: [requestArgument],
  run: async (session, _flags, reference) => {
    const { api, request, params } = await findRequest(session, reference)
    const { number, title } = request
    await carryOut(session, {
      would: `withdraw request ${number}: ${printable(title)}`,
      plan: { request },
      send: () => api.call('withdrawChangeRequest', { params }),
      done: (withdrawn) => [`Withdrew request ${number}`, { request: withdrawn }],
    })
  },
})

const apply = defineCommand({
  brief: 'Apply an approved request',
  about:
    'Carries out a request that has its approvals. Where somebody else has changed the same keys since, nothing is changed, and the request waits for a new look.',
  examples: ['signalbox requests apply 12'],
  args: [requestArgument],
  run: async (session, _flags, reference) => {
    const { api, organization, request, params } = await findRequest(session, reference)
    const { number, title } = request
    const environments = await api.environments(organization.id)
    await carryOut(session, {
      would: `apply request ${number}: ${printable(title)}`,
      plan: { request },
      ask: {
        environment: { name: `request ${number}`, production: false },
        question: `Apply request ${number}, ${title}?`,
        elsewhere: 'onTerminal',
      },
      send: () => api.call('applyChangeRequest', { params }),
      done: (applied) => [describeApplied(applied, environments), { request: applied }],
    })
  },
})

const schedule = defineCommand({
  brief: 'Set the time at which a request applies itself',
  about:
    'Sets the time at which a request applies itself, if it is approved by then: at most 90 days ahead. With --no-at it waits for somebody who applies it.',
  examples: [
    'signalbox requests schedule 12 --at 2026-12-01T08:00+01:00',
    'signalbox requests schedule 12 --no-at',
  ],
  flags: {
    at: momentFlag('Moment at which it applies itself, such as 2026-12-01T08:00+01:00'),
    noAt: switchFlag('Take the time back'),
  },
  args: [requestArgument],
  run: async (session, { at, noAt }, reference) => {
    if ((at === undefined) !== (noAt === true)) {
      throw new CliError('usage', 'usage', 'Use either --at <time> or --no-at.', {
        advice: 'signalbox requests schedule --help',
      })
    }
    const { api, request, params } = await findRequest(session, reference)
    const { number } = request
    const applyAt = at === undefined ? null : at.toISOString()
    const what = applyAt === null ? 'take back its time' : `let it apply itself at ${applyAt}`
    await carryOut(session, {
      would: `change request ${number}: ${what}`,
      plan: { request, applyAt },
      send: () => api.call('scheduleChangeRequest', { params, body: { applyAt } }),
      done: (scheduled) => [
        applyAt === null
          ? `Request ${number} has no time any more`
          : `Request ${number} applies itself at ${applyAt}, if it is approved by then`,
        { request: scheduled },
      ],
    })
  },
})

/** Defines `signalbox requests`, whose default is the list. */
export const requestsRoutes = buildRouteMap<
  'list' | 'show' | 'approve' | 'decline' | 'apply' | 'schedule' | 'withdraw' | 'override',
  CliContext
>({
  routes: {
    list,
    show,
    approve: approveCommand,
    decline: declineCommand,
    apply,
    schedule,
    withdraw,
    override: overrideCommand,
  },
  defaultCommand: 'list',
  docs: { brief: briefs.requests },
})
