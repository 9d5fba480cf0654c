import { describe, expect, it } from 'vitest'
import {
  actionGroups,
  describeEvent,
} from '../packages/dashboard/src/screens/audit/describe-event.ts'
import { auditActions } from '../packages/server/src/audit/audit-event.ts'

/** Lists the nouns of events that only the chain of the server has. */
const ofServer =
  /^(auth|session|user|second_factor|token|root_key|publisher_key|provider_app|backup)\./

const names = { organization: { id: 'org_1', name: 'Acme' }, environments: [], providers: [] }
const filters = actionGroups.flatMap(({ actions }) => actions.map(({ action }) => action))

const own = auditActions.filter((action) => !ofServer.test(action))

describe('each action that is recorded for an organization', () => {
  it.each(own)('%s is a sentence in the audit log', (action) => {
    const target = { type: 'thing', id: null, name: null }
    expect(describeEvent({ action, target, detail: {} }, names).did).not.toBe(action)
  })

  it('is a choice of the filter, by itself and by its subject', () => {
    const nouns = new Set(own.map((action) => `${action.split('.')[0]}.`))
    expect(new Set(filters)).toEqual(new Set([...own, ...nouns]))
  })
})
