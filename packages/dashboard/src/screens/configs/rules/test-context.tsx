import { Check, X } from 'lucide-react'
import { useState } from 'react'
import {
  countBuckets,
  describeCondition,
  describeFlag,
  describeSegmentGroup,
  explainFlag,
  explainNoVersion,
  findSegmentGroup,
  isSegmentCondition,
  listSegmentNames,
  targetingKey,
  type ConfigValue,
  type EvaluationContext,
  type ExplainedRule,
  type FlagCondition,
  type FlagExplanation,
  type FlagVariant,
  type RolloutPosition,
  type Segments,
} from '@signalbox/contract'
import { Badge } from '../../../components/badge.tsx'
import { TextArea, TextField } from '../../../components/field.tsx'
import { Skeleton } from '../../../components/states.tsx'
import type { FlagRules } from '../matrix.ts'
import { useSegmentGroups } from '../segments/use-segments.ts'
import { parseContext, setAttribute, toFieldText, typesOf } from './context-fields.ts'
import { toRuleText } from './diff-rules.ts'
import { listConditions, namesIn } from './list-attributes.ts'

interface TestContextProps {
  /** Holds the flag as it is staged. */
  readonly flag: {
    readonly schemaId: string
    readonly key: string
    readonly value: ConfigValue
    readonly rules: FlagRules
    readonly variants?: readonly FlagVariant[] | undefined
  }
  readonly environment: string
}

const example = `{\n  "${targetingKey}": "user-4711"\n}`

/** Evaluates a flag for a context that a person fills in or pastes, and says which rule decides and why. */
export function TestContext({ flag, environment }: TestContextProps) {
  const [text, setText] = useState(example)
  const parsed = parseContext(text)
  const context = 'context' in parsed ? parsed.context : {}
  const { segments, isPending } = useSegmentGroups(listSegmentNames(flag.rules))
  const names = [...new Set([targetingKey, ...namesIn(flag.rules, segments)])]
  const conditions = listConditions(flag.rules, segments)
  return (
    <section aria-label="Test a context" className="flex flex-col gap-3 border-t border-line pt-4">
      <h3 className="font-semibold">Test a context</h3>
      <div className="grid gap-3 sm:grid-cols-2">
        {names.map((name) => (
          <AttributeField
            key={name}
            name={name}
            value={context[name]}
            types={typesOf(name, conditions)}
            disabled={'error' in parsed}
            onText={(typed) =>
              setText(JSON.stringify(setAttribute(context, name, typed, conditions), null, 2))
            }
          />
        ))}
      </div>
      <TextArea
        label="Or paste the context as JSON"
        error={'error' in parsed ? parsed.error : undefined}
        isCode
        rows={Math.min(10, text.split('\n').length)}
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {isPending && <Skeleton lines={1} />}
      {'context' in parsed && !isPending && (
        <Outcome
          flag={flag}
          environment={environment}
          context={context}
          segments={segments}
          result={explainFlag<ConfigValue>(flag, context, segments)}
        />
      )}
    </section>
  )
}

interface AttributeFieldProps {
  readonly name: string
  readonly value: unknown
  readonly types: ReadonlySet<string>
  readonly disabled: boolean
  readonly onText: (typed: string) => void
}

function AttributeField({ name, value, types, disabled, onText }: AttributeFieldProps) {
  const [typed, setTyped] = useState('')
  return (
    <TextField
      label={name}
      help={
        name === targetingKey
          ? 'Who asks, such as the id of a user. Percentages go by it.'
          : undefined
      }
      disabled={disabled}
      spellCheck={false}
      value={toFieldText(value, typed, types)}
      onChange={({ target }) => {
        setTyped(target.value)
        onText(target.value)
      }}
    />
  )
}

/** Describes what a flag was tested with. */
interface Tested {
  readonly flag: TestContextProps['flag']
  readonly context: EvaluationContext
  readonly segments: Segments
}

interface OutcomeProps extends Tested {
  readonly environment: string
  readonly result: FlagExplanation<ConfigValue>
}

function Outcome({ flag, environment, context, segments, result }: OutcomeProps) {
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <p role="status" className="flex flex-wrap items-center gap-2">
        <Badge tone={result.value === false ? 'neutral' : 'ok'}>
          {result.variant ?? describeFlag({ value: result.value })}
        </Badge>
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
          {explain(flag.rules, result, environment)}
        </span>
      </p>
      {flag.rules.length > 0 && (
        <ol aria-label="Why" className="flex flex-col gap-2 text-sm">
          {flag.rules.map((rule, index) => (
            <RuleOutcome
              key={`${index} ${toRuleText(rule)}`}
              rule={rule}
              number={index + 1}
              explained={result.rules[index]}
              decidedBy={result.decidedBy}
              tested={{ flag, context, segments }}
            />
          ))}
        </ol>
      )}
    </div>
  )
}

/** Returns the reason for a value in a sentence. */
function explain(
  rules: FlagRules,
  result: FlagExplanation<ConfigValue>,
  environment: string,
): string {
  const { decidedBy, reason } = result
  if (decidedBy === undefined) {
    return rules.length === 0
      ? `There are no rules in ${environment}: everyone gets this.`
      : 'No rule decides, so they get what everyone else gets.'
  }
  const number = `Rule ${decidedBy + 1}`
  if (reason === 'unknown') {
    return `${number} needs ${targetingKey}, which the context lacks. OpenFeature clients take their own default; other clients get this value.`
  }
  const position = result.rules[decidedBy]?.rollout
  if (position !== undefined) return `${number} decides: ${explainPosition(position)}`
  const isUnconditional = rules[decidedBy]?.when.length === 0
  return `${number} decides: ${isUnconditional ? 'it is for everyone' : 'all its conditions hold'}.`
}

function explainPosition({ by, unit, at = 0, shares }: RolloutPosition): string {
  const position = `${by} ${unit ?? ''} is at ${at.toFixed(3)}%`
  const [first, second] = shares
  if (first.served === true && second?.served === false) {
    const percent = toPercent(first.below)
    return `${position}, ${at < percent ? 'inside' : 'outside'} the first ${percent}%.`
  }
  const share = shares.find(({ below }) => at < toPercent(below)) ?? first
  return `${position}, in the part from ${toPercent(share.from)}% to ${toPercent(share.below)}%.`
}

function toPercent(bucket: number): number {
  return (bucket * 100) / countBuckets(100)
}

interface RuleOutcomeProps {
  readonly rule: FlagRules[number]
  readonly number: number
  readonly explained: ExplainedRule | undefined
  readonly decidedBy: number | undefined
  readonly tested: Tested
}

function RuleOutcome({ rule, number, explained, decidedBy, tested }: RuleOutcomeProps) {
  const isLater = decidedBy !== undefined && number - 1 > decidedBy
  const isSkipped = !isLater && explained?.holds === true && decidedBy !== number - 1
  return (
    <li className={isLater ? 'text-muted' : ''}>
      <span className="wrap-anywhere">
        {number}. {toRuleText(rule)}
      </span>
      {isLater && ' (not used: an earlier rule decides)'}
      {isSkipped && ` (skipped: the context has no ${explained.rollout?.by ?? 'such attribute'})`}
      {!isLater && rule.when.length > 0 && (
        <ul className="ml-4">
          {rule.when.map((condition, index) => (
            <ConditionOutcome
              key={`${index} ${describeCondition(condition)}`}
              text={describeCondition(condition)}
              note={describeMatch(condition, tested)}
              holds={explained?.conditions[index] === true}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

/**
 * Returns which group of a segment the context is in, in words, or why an attribute is no version. `undefined`: there is
 * nothing to say.
 */
function describeMatch(
  condition: FlagCondition,
  { flag, context, segments }: Tested,
): string | undefined {
  if (!isSegmentCondition(condition)) {
    const { operator, attribute } = condition
    const isGiven = operator === 'semver' && Object.hasOwn(context, attribute)
    return isGiven ? explainNoVersion(context[attribute]) : undefined
  }
  const groups = segments[condition.segment]
  if (groups === undefined) return 'there is no such segment'
  const index = findSegmentGroup(groups, context, flag)
  const group = index === undefined ? undefined : groups[index]
  if (index === undefined || group === undefined) {
    const [only] = groups
    return groups.length === 1 && only !== undefined
      ? `its group asks: ${describeSegmentGroup(only)}`
      : `in none of its ${groups.length} groups`
  }
  const position =
    groups.length === 1 ? 'in its group' : `in group ${index + 1} of ${groups.length}`
  return `${position}: ${describeSegmentGroup(group)}`
}

interface ConditionOutcomeProps {
  readonly text: string
  /** Says more about the outcome, such as the group of a segment. */
  readonly note: string | undefined
  readonly holds: boolean
}

function ConditionOutcome({ text, note, holds }: ConditionOutcomeProps) {
  const Icon = holds ? Check : X
  return (
    <li className="flex items-start gap-1.5">
      <Icon aria-hidden size={14} className={`mt-0.5 shrink-0 ${holds ? 'text-ok' : 'text-bad'}`} />
      <span className="min-w-0 wrap-anywhere">
        {text}{' '}
        <span className="text-muted">
          ({holds ? 'holds' : 'does not hold'}
          {note !== undefined && `; ${note}`})
        </span>
      </span>
    </li>
  )
}
