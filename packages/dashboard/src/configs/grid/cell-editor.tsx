import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { secretInput } from '../../parts/field.tsx'
import { toCellId, type Place } from '../matrix.ts'
import { parseValue, publicValueWarning } from '../parse-value.ts'
import type { StagedCell } from '../staged.ts'
import type { EditStart, GridModel } from './grid-model.ts'

interface CellEditorProps {
  readonly place: Place
  readonly start: EditStart
  readonly change: StagedCell | undefined
  readonly model: GridModel
}

/** Where the keyboard goes on after a commit. */
const stepAfter: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  Enter: [1, 0],
  Tab: [0, 1],
}

/** The field in a cell. The type is checked with each letter; a secret begins empty and is shown as dots. */
export function CellEditor({ place, start, change, model }: CellEditorProps) {
  const { row, environment } = place
  const before = toStartText(place, change)
  const [text, setText] = useState(start.text ?? before)
  const input = useRef<HTMLTextAreaElement>(null)
  const faultId = useId()
  const parsed = parseValue(text, row.type)
  const isUntouched = text === before
  const fault = isUntouched || parsed.ok ? undefined : parsed.fault
  const warning =
    row.tier === 'public' && parsed.ok ? publicValueWarning(row.key, parsed.value) : undefined

  useEffect(() => {
    const field = input.current
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])

  const close = () => model.editing.set(toCellId(environment.id, row.key), undefined)
  const commit = (): boolean => {
    if (fault !== undefined) return false
    close()
    if (!isUntouched && parsed.ok) model.stage([{ place, value: parsed.value }])
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's'
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      close()
      model.navigator.current?.step(0, 0)
      return
    }
    if (isSave) {
      // The grid answers it, once the value is staged.
      if (!commit()) event.preventDefault()
      return
    }
    const step = stepAfter[event.key]
    const isLineEnd = event.key === 'Enter' && (event.shiftKey || event.altKey)
    if (step === undefined || isLineEnd || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    const by = event.shiftKey ? -1 : 1
    if (commit()) model.navigator.current?.step(step[0], step[1] * by)
  }
  return (
    <>
      <textarea
        ref={input}
        aria-label={`${row.key} in ${environment.name}`}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={fault === undefined && warning === undefined ? undefined : faultId}
        rows={Math.min(8, Math.max(1, text.split('\n').length))}
        placeholder={row.tier === 'secret' ? 'New value' : undefined}
        inputMode={row.type === 'number' ? 'decimal' : undefined}
        value={text}
        {...secretInput}
        className={`absolute inset-x-0 top-0 z-10 min-h-full resize-none bg-panel px-3 py-[7px] font-mono text-[0.93rem] leading-5 outline-2 -outline-offset-2 ${fault === undefined ? 'outline-accent' : 'outline-bad'} ${row.tier === 'secret' ? 'masked' : ''}`}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        onClick={(event) => event.stopPropagation()}
        onBlur={() => {
          if (!commit()) close()
        }}
      />
      {(fault ?? warning) !== undefined && (
        <span
          id={faultId}
          role="alert"
          className={`absolute top-full left-0 z-20 mt-px w-max max-w-72 rounded-b-md px-3 py-1 text-sm shadow-lg ${fault === undefined ? 'bg-warn-ground text-warn' : 'bg-bad-ground text-bad'}`}
        >
          {fault ?? warning}
        </span>
      )}
    </>
  )
}

/** The text that an edit begins with: what is staged, or the value. Of a secret nothing. */
function toStartText({ row, cell }: Place, change: StagedCell | undefined): string {
  if (row.tier === 'secret') return ''
  const value = change?.edit.kind === 'set' ? change.edit.value : cell.value
  return value === undefined ? '' : String(value)
}
