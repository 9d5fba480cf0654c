import type { Tier } from '@signalbox/contract'
import { useState } from 'react'
import { tierIcons } from '../grid/key-cell.tsx'
import type { ConfigSchema } from '../schema-picker.tsx'
import { Button } from '../../../components/button.tsx'

interface KeyChoiceProps {
  readonly schema: ConfigSchema
  /** Lists the keys that can be chosen. */
  readonly offered: readonly string[]
  readonly chosen: readonly string[]
  readonly onChoose: (keys: readonly string[]) => void
}

/** Limits the listed keys. The filter finds the others. */
const listedMax = 100

/** Lets a person choose keys by checkboxes and a filter. */
export function KeyChoice({ schema, offered, chosen, onChoose }: KeyChoiceProps) {
  const [text, setText] = useState('')
  // Keys that were chosen before this opened come first, and stay there while others are chosen.
  const [first] = useState(() => new Set(chosen))
  const needle = text.trim().toLowerCase()
  const matching = Object.entries(schema.schema)
    .filter(([key]) => offered.includes(key) && key.toLowerCase().includes(needle))
    .sort(([one], [other]) => Number(first.has(other)) - Number(first.has(one)))
  const listed = matching.slice(0, listedMax)
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 flex w-full items-center justify-between gap-2 font-medium">
        Keys
        <span className="text-sm font-normal text-muted">{chosen.length} selected</span>
      </legend>
      <div className="flex gap-2">
        <input
          type="search"
          aria-label="Filter keys"
          placeholder="Filter keys"
          className="control"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {chosen.length > 0 && <Button onClick={() => onChoose([])}>Clear</Button>}
      </div>
      <ul
        aria-label="Keys"
        tabIndex={0}
        className="max-h-56 overflow-y-auto rounded-md border border-line"
      >
        {listed.map(([key, { tier }]) => (
          <KeyOption
            key={key}
            name={key}
            tier={tier}
            isChosen={chosen.includes(key)}
            onChange={(isChosen) =>
              onChoose(isChosen ? [...chosen, key] : chosen.filter((one) => one !== key))
            }
          />
        ))}
      </ul>
      {matching.length > listed.length && (
        <p className="text-sm text-muted">
          And {matching.length - listed.length} more: type a part of the name.
        </p>
      )}
      {matching.length === 0 && <p className="text-sm text-muted">No matching keys</p>}
    </fieldset>
  )
}

interface KeyOptionProps {
  readonly name: string
  readonly tier: Tier
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}

function KeyOption({ name, tier, isChosen, onChange }: KeyOptionProps) {
  const Icon = tierIcons[tier]
  return (
    <li>
      <label className="flex min-h-8 cursor-pointer items-center gap-2 px-2.5 py-1 hover:bg-raised">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={isChosen}
          onChange={({ target }) => onChange(target.checked)}
        />
        <Icon aria-hidden size={14} className="shrink-0 text-muted" />
        <span className="min-w-0 font-mono break-all">{name}</span>
      </label>
    </li>
  )
}
