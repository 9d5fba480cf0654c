import type { GateReason } from '@signalbox/contract/rest'
import type { DeploymentFacts } from './facts.ts'
import type { GateRow, Judgement } from './gate.ts'
import { formatTime, judgeRule, type JudgedFacts } from './judge-rule.ts'

interface JudgedReason {
  readonly reason: GateReason
  readonly waitsFor: string
}

/**
 * Decides about a deployment by every gate that covers it. All of them count, and one that only watches informs. Where something is
 * not met, the deployment waits: a code host takes no second answer after a refusal. A commit of a fork is refused.
 */
export function judgeDeployment(gates: readonly GateRow[], facts: DeploymentFacts): Judgement {
  const judged = listReasons(gates, facts)
  const reasons = judged.map(({ reason }) => reason)
  const counted = judged.filter(({ reason }) => !reason.isWatched)
  if (counted.some(({ reason }) => reason.state === 'refused')) {
    return { state: 'refused', reasons, waitsFor: null }
  }
  const waiting = counted.filter(({ reason }) => reason.state === 'waiting')
  const [first, ...more] = waiting
  if (first === undefined) return { state: 'passed', reasons, waitsFor: null }
  const waitsFor = more.length === 0 ? first.waitsFor : `${first.waitsFor} and ${more.length} more`
  return { state: 'waiting', reasons, waitsFor }
}

/** Returns whether a gate is about deployments of a repository to an environment. */
export function covers(
  { environmentIds, repositories }: Pick<GateRow, 'environmentIds' | 'repositories'>,
  of: { readonly environmentId: string; readonly repository: string },
): boolean {
  const name = of.repository.toLowerCase()
  return (
    environmentIds.includes(of.environmentId) &&
    (repositories.length === 0 || repositories.some((each) => each.toLowerCase() === name))
  )
}

function listReasons(gates: readonly GateRow[], facts: DeploymentFacts): JudgedReason[] {
  const fork = facts.isFork ? [forkReason] : []
  const { environment } = facts
  if (environment === null) return [...fork, unknownEnvironment]
  const covering = gates.filter((gate) =>
    covers(gate, { environmentId: environment.id, repository: facts.repository }),
  )
  const known: JudgedFacts = { ...facts, environment }
  const byRules = covering.flatMap((gate) => judgeGate(gate, known))
  const all = [...fork, ...freezeReasons(known), ...byRules]
  return all.length > 0 ? all : [noGate(environment.name)]
}

function judgeGate({ id, mode, rules }: GateRow, facts: JudgedFacts): JudgedReason[] {
  return rules.map((rule, index) => {
    const { isMet, waitsFor, ...texts } = judgeRule(rule, facts, { gateId: id, rule: index })
    return {
      reason: {
        gateId: id,
        code: rule.rule,
        state: isMet ? 'met' : 'waiting',
        isWatched: mode === 'watch',
        ...texts,
      },
      waitsFor,
    }
  })
}

function freezeReasons({ freeze, now, environment }: JudgedFacts): JudgedReason[] {
  if (freeze === null || freeze.until <= now) return []
  const until = formatTime(freeze.until)
  const reason = {
    ...ofNoGate,
    code: 'frozen',
    state: 'waiting',
    text: `${environment.name} is frozen until ${until}: ${freeze.reason}`,
    nextStep: `${freeze.by} froze it. An admin may end the freeze.`,
  } as const
  return [{ reason, waitsFor: `the end of the freeze of ${environment.name}` }]
}

const ofNoGate = { gateId: null, isWatched: false } as const

const forkReason: JudgedReason = {
  reason: {
    ...ofNoGate,
    code: 'fork',
    state: 'refused',
    text: 'The commit comes from a fork.',
    nextStep: 'Deploy it from a branch of the repository.',
  },
  waitsFor: '',
}

const unknownEnvironment: JudgedReason = {
  reason: {
    ...ofNoGate,
    code: 'unknown_environment',
    state: 'met',
    text: 'The environment at the code host is none of the organization’s, so no gate covers it.',
    nextStep: 'Map it to an environment in the settings of the code host to let a gate cover it.',
  },
  waitsFor: '',
}

function noGate(environment: string): JudgedReason {
  const text = `No gate covers deployments to ${environment}.`
  return {
    reason: { ...ofNoGate, code: 'no_gate', state: 'met', text, nextStep: null },
    waitsFor: '',
  }
}
