import { verbs, type FlagRule, type ProofTerms } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import { approvedFor, type ApprovalCheck } from '../../config-model/approval-check.ts'
import type { Caller } from '../../config-model/caller.ts'
import { getCurrentValues } from '../../config-model/current-values.ts'
import { parseRules } from '../../config-model/segment-texts.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { changeConfig } from '../values/change-config.ts'
import { lockForWrite, type WriteContext } from '../values/write-values.ts'
import { withPercent, type PlanRow } from './plan.ts'

/** Holds what a step made. */
export interface WrittenStep {
  /** `null`: the share was that already. */
  readonly versionId: string | null
}

type PlanOf = Pick<PlanRow, 'schemaId' | 'environmentId' | 'flag'>

/** Locks the values of the environment of a plan, and returns them with the rules of its flag. */
export async function lockFlag(
  deps: ConfigDeps,
  tx: Tx,
  orgId: string,
  { schemaId, environmentId, flag }: PlanOf,
): Promise<{ readonly context: WriteContext; readonly rules: readonly FlagRule[] }> {
  const context = await lockForWrite(deps, tx, { orgId, schemaId, environmentIds: [environmentId] })
  const { schema } = context.state
  // The rules of a key that is no flag any more stay stored.
  const isThere = schema.definition.get(flag)?.tier === 'featureFlags'
  const { openValues } = getCurrentValues(context.state, environmentId)
  const text = isThere ? openValues[flag]?.rules : undefined
  return { context, rules: text === undefined ? [] : parseRules(text) }
}

/**
 * Lets a step through where people have approved its plan. An environment that asks for more by now, or that inherits the flag only
 * since then, needs its people.
 */
function approvedWithPlan({ flag, covered }: Pick<PlanRow, 'flag' | 'covered'>): ApprovalCheck {
  return approvedFor(({ environmentId, key }, policies) => {
    const needed = policies.get(environmentId)?.protection.approvals ?? 0
    return key === flag && needed <= (covered[environmentId] ?? 0)
  })
}

interface WriteRules {
  readonly rules: readonly FlagRule[] | null
  readonly comment: string
  readonly confirm: readonly string[]
  /** `null`: it is not watched, because a person goes back. */
  readonly prove: ProofTerms | null | undefined
}

/** Writes the rules of the flag of a plan in an open transaction, as a version of its own. */
export async function writeRules(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { plan, write }: { readonly plan: PlanOf; readonly write: WriteRules },
): Promise<WrittenStep> {
  const { schemaId, environmentId, flag } = plan
  const store = {
    ...deps.store,
    transaction: <T>(_: unknown, work: (inner: Tx) => Promise<T>) => work(tx),
  }
  const { confirm, comment, prove, rules } = write
  const { environments } = await changeConfig({ ...deps, store }, caller, {
    schemaId,
    changes: [
      {
        environmentId,
        expectedVersion: undefined,
        set: {},
        rules: { [flag]: rules },
        unset: [],
        turn: {},
      },
    ],
    allowPlain: [],
    confirmation: { confirm, comment, prove, from: 'body' },
    dryRun: false,
  })
  const version = environments.find((each) => each.environmentId === environmentId)?.version
  return { versionId: version?.id ?? null }
}

/** Returns the caller as which a plan writes: by the name of its author, and with every right. */
export function asPlan(orgId: string, { id, author }: Pick<PlanRow, 'id' | 'author'>): Caller {
  return {
    orgId,
    scope: { orgId },
    author: { type: 'system', id, name: `Plan of ${author.name}` },
    request: { requestId: '', ip: '', userAgent: undefined },
    permissions: [{ verbs, environmentIds: null, schemaIds: null }],
    environmentIds: null,
    schemaIds: null,
    readsSecrets: false,
    isAgent: false,
  }
}

interface WriteShare {
  readonly plan: PlanRow
  /** `null`: the rule goes, because the plan has made it. */
  readonly percent: number | null
  readonly comment: string
  /** `null`: it is not watched, because a person goes back. */
  readonly prove: ProofTerms | null | undefined
}

/**
 * Writes another share of the rule of a plan. `undefined`: the rule is gone, or serves something else.
 *
 * @throws {Problem} what a write of the rules is refused with
 */
export async function writeShare(
  deps: ConfigDeps,
  tx: Tx,
  orgId: string,
  { plan, percent, comment, prove }: WriteShare,
): Promise<WrittenStep | undefined> {
  const { context, rules } = await lockFlag(deps, tx, orgId, plan)
  const shared = withPercent(rules, plan.ruleId, percent ?? 0)
  if (shared === null) return undefined
  const changed = percent === null ? rules.filter(({ id }) => id !== plan.ruleId) : shared
  const confirm = [...context.policies.values()].map(({ name }) => name)
  const within = { ...deps, approvalCheck: approvedWithPlan(plan) }
  return writeRules(within, tx, asPlan(orgId, plan), {
    plan,
    write: { rules: changed.length === 0 ? null : changed, comment, confirm, prove },
  })
}
