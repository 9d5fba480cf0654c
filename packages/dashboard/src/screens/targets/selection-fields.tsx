import type { Tier } from '@signalbox/contract'
import { Checkbox, TextField } from '../../components/field.tsx'
import type { ApiProblem } from '../../api/problem.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import type { Target } from './target.ts'
import { tierChoices } from './target.ts'

/** Holds which keys a target writes, and how their names begin. */
export type TargetSelection = Pick<Target, 'tiers' | 'keys' | 'prefix'>

/** Lists the pointers of the errors that {@link SelectionFields} shows. */
export const selectionPointers = ['/tiers', '/keys', '/prefix'] as const

interface SelectionFieldsProps {
  /** Holds the schema whose keys are offered. `undefined`: it was deleted. */
  readonly schema: ConfigSchema | undefined
  readonly selection: TargetSelection
  readonly problem: ApiProblem | null
  readonly onSelection: (selection: TargetSelection) => void
}

/** Asks for whole tiers and for single keys beside them. */
export function SelectionFields(props: SelectionFieldsProps) {
  const { selection, problem, onSelection } = props
  const { tiers, prefix } = selection
  const choose = (tier: Tier, isChosen: boolean) => {
    const others = tiers.filter((one) => one !== tier)
    onSelection({ ...selection, tiers: isChosen ? [...others, tier] : others })
  }
  return (
    <>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 font-medium">Keys to write</legend>
        {tierChoices.map(({ tier, label }) => (
          <Checkbox
            key={tier}
            label={label}
            checked={tiers.includes(tier)}
            onChange={({ target }) => choose(tier, target.checked)}
          />
        ))}
        <SingleKeys {...props} />
        {selectionPointers.slice(0, 2).map((pointer) => {
          const error = problem?.errorOf(pointer)
          return (
            error !== undefined && (
              <p key={pointer} role="alert" className="text-sm text-bad">
                {error}
              </p>
            )
          )
        })}
      </fieldset>
      <TextField
        label="Prefix of every name (optional)"
        placeholder="SHOP_"
        help="stripeKey becomes SHOP_STRIPE_KEY."
        spellCheck={false}
        value={prefix}
        error={problem?.errorOf('/prefix')}
        onChange={({ target }) => onSelection({ ...selection, prefix: target.value })}
      />
    </>
  )
}

/** Offers the keys that no chosen tier holds, and those that are chosen but gone. */
function SingleKeys({ schema, selection, onSelection }: SelectionFieldsProps) {
  const { tiers, keys } = selection
  const offered = Object.entries(schema?.schema ?? {})
    .filter(([, { tier }]) => !tiers.includes(tier))
    .map(([key]) => key)
  const all = [...new Set([...offered, ...keys])]
  if (all.length === 0) return null
  return (
    <details open={keys.length > 0}>
      <summary className="cursor-pointer">Single keys</summary>
      <div className="mt-1 ml-6 flex max-h-64 flex-col gap-1 overflow-y-auto" tabIndex={0}>
        {all.map((key) => (
          <Checkbox
            key={key}
            label={<span className="font-mono">{key}</span>}
            checked={keys.includes(key)}
            onChange={({ target }) => {
              const others = keys.filter((one) => one !== key)
              onSelection({ ...selection, keys: target.checked ? [...others, key] : others })
            }}
          />
        ))}
      </div>
    </details>
  )
}
