import type { ForeignDeal } from '@signalbox/contract'
import { all, always, any, negate, never, one, type Alternatives } from '../alternatives.ts'
import { leaveOut, type Issues } from '../issues.ts'
import { isObject, readNumber, readText, type JsonObject } from '../read-json.ts'
import { readConstraints, readListed, readSegments, toAttribute } from './constraints.ts'

/** Holds what strategies are read with. */
export interface StrategyContext {
  readonly segments: ReadonlyMap<string, JsonObject>
  readonly issues: Issues
}

/** Returns the test of an activation strategy with its constraints and segments. @throws {LeftOut} @throws {ExportError} */
export function readStrategy(
  strategy: JsonObject,
  path: string,
  context: StrategyContext,
): Alternatives {
  const { segments, issues } = context
  const tests = [
    readConstraints(strategy['constraints'], `${path}.constraints`, issues),
    readSegments(strategy['segments'], segments, issues),
  ]
  return all([...tests, readOwnTest(strategy, path, context)])
}

function readOwnTest(strategy: JsonObject, path: string, context: StrategyContext): Alternatives {
  const name = readText(strategy['name'], `${path}.name`)
  const parameters = isObject(strategy['parameters']) ? strategy['parameters'] : {}
  const read = (parameter: string) =>
    readText(parameters[parameter], `${path}.parameters.${parameter}`)
  const groupId = read('groupId')
  switch (name) {
    case 'default':
      return always
    case 'userWithId':
      return readListed(parameters, 'userIds', 'targetingKey')
    case 'remoteAddress':
      return readAddresses(read('IPs'), parameters)
    case 'gradualRolloutUserId':
      return share(
        'userId',
        groupId,
        readNumber(parameters['percentage'], `${path}.parameters.percentage`),
      )
    case 'gradualRolloutSessionId':
      return share(
        'sessionId',
        groupId,
        readNumber(parameters['percentage'], `${path}.parameters.percentage`),
      )
    case 'gradualRolloutRandom':
      return shareByChance(readNumber(parameters['percentage'], `${path}.parameters.percentage`))
    case 'flexibleRollout': {
      const percent = readNumber(parameters['rollout'], `${path}.parameters.rollout`)
      const stickiness = read('stickiness')
      return readFlexible(percent, {
        stickiness: stickiness === '' ? 'default' : stickiness,
        groupId,
        issues: context.issues,
      })
    }
    default:
      const cause = `The flag has the strategy “${name}”, which rules here cannot express.`
      throw leaveOut('UN-T013', cause, 'The flag is left out.')
  }
}

function readAddresses(addresses: string, parameters: JsonObject): Alternatives {
  if (!addresses.includes('/')) return readListed(parameters, 'IPs', 'remoteAddress')
  const cause = `The flag is on for ranges of addresses: ${addresses.slice(0, 200)}`
  throw leaveOut('UN-T014', cause, 'The flag is left out: rules compare whole addresses.')
}

/** Returns the first percent of those who have the field. */
function share(field: string, groupId: string, percent: number): Alternatives {
  // Their hundred steps are whole.
  const steps = Math.min(Math.floor(percent), 100)
  if (steps <= 0) return never
  const attribute = toAttribute(field)
  const deal: ForeignDeal | undefined = groupId === '' ? undefined : { as: 'unleash', key: groupId }
  if (deal === undefined) {
    const cause = 'A rollout has no group id, so Unleash hashes an empty one.'
    const action = 'The flag is left out. Give the strategy a group id, then import again.'
    throw leaveOut('UN-T017', cause, action)
  }
  return one({ attribute, operator: 'share', percent: steps, deal })
}

/** Chance is only the same where it decides nothing. */
function shareByChance(percent: number): Alternatives {
  if (percent <= 0) return never
  if (percent >= 100) return always
  const cause = `The flag is on for ${percent}% of the calls, by chance.`
  const action = 'The flag is left out: a rule decides the same for the same user.'
  throw leaveOut('UN-T015', cause, action)
}

interface Flexible {
  readonly stickiness: string
  readonly groupId: string
  readonly issues: Issues
}

function readFlexible(percent: number, { stickiness, groupId, issues }: Flexible): Alternatives {
  if (stickiness === 'random') return shareByChance(percent)
  if (stickiness !== 'default') return share(stickiness, groupId, percent)
  if (percent <= 0) return never
  if (percent >= 100) return always
  const cause = 'A rollout goes by the user, else by the session, else by chance.'
  const action = 'It goes by the user, else by the session. A user with neither is outside of it.'
  issues.medium('UN-T016', cause, action)
  const isUnknown = negate(one({ attribute: 'targetingKey', operator: 'exists' }))
  return any([
    share('userId', groupId, percent),
    all([isUnknown, share('sessionId', groupId, percent)]),
  ])
}
