import type { ValueType } from '@signalbox/contract'
import {
  useId,
  useRef,
  useState,
  type ChangeEvent,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import { secretInput } from '../../../components/field.tsx'
import { toCellId, type CellRef } from '../matrix.ts'
import { findChoices, parseValueOf, publicValueWarning, toEditText } from '../parse-value.ts'
import type { StagedCell } from '../staged.ts'
import type { EditStart, GridModel } from './grid-model.ts'

interface CellEditorProps {
  readonly cellRef: CellRef
  readonly start: EditStart
  readonly change: StagedCell | undefined
  readonly model: GridModel
}

type Step = readonly [rows: number, columns: number]

/** Returns the meaning of a key in the field: where the focus moves after a commit, or how else the edit ends. */
function toMeaning(event: KeyboardEvent, type: ValueType): Step | 'save' | 'cancel' | undefined {
  const { key, shiftKey, nativeEvent } = event
  if (nativeEvent.isComposing) return undefined
  if (key === 'Escape') return 'cancel'
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 's') return 'save'
  if (key === 'Tab') return [0, shiftKey ? -1 : 1]
  return key === 'Enter' && endsEdit(event, type) ? [1, 0] : undefined
}

/** With Shift or Alt, Enter inserts a line break. JSON has many, so there it ends the edit with Ctrl or Cmd alone. */
function endsEdit({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent, type: ValueType): boolean {
  return type === 'json' ? ctrlKey || metaKey : !shiftKey && !altKey
}

/** Renders the field in a cell. It checks the type at each key. A secret starts empty and is shown as dots. */
export function CellEditor(props: CellEditorProps) {
  const { row, environment } = props.cellRef
  const remarkId = useId()
  const { text, setText, error, warning, commit, close, onKeyDown } = useCellEdit(props)
  const choices = findChoices(row)
  const shared = {
    'aria-label': `${row.key} in ${environment.name}`,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': remarkId,
    value: text,
    onKeyDown,
    onChange: ({ target }: ChangeEvent<HTMLTextAreaElement | HTMLSelectElement>) =>
      setText(target.value),
    onClick: (event: MouseEvent) => event.stopPropagation(),
    onBlur: () => {
      if (!commit()) close()
    },
  }
  const classes = `absolute inset-x-0 top-0 z-10 min-h-full bg-panel px-3 font-mono text-[0.93rem] leading-5 outline-2 -outline-offset-2 ${error === undefined ? 'outline-accent' : 'outline-bad'}`
  return (
    <>
      {choices === undefined ? (
        <textarea
          ref={focusAtEnd}
          rows={countRows(text)}
          placeholder={row.tier === 'secret' ? 'New value' : undefined}
          inputMode={row.type === 'number' ? 'decimal' : undefined}
          {...shared}
          {...secretInput}
          className={`${classes} resize-none py-[7px] ${row.tier === 'secret' ? 'masked' : ''}`}
        />
      ) : (
        <select ref={focus} {...shared} className={classes}>
          {/* Shows a stored value that is no longer allowed, and typed text with which no choice begins. */}
          {!choices.includes(text) && <option value={text}>{text === '' ? 'Choose' : text}</option>}
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
      <Remark id={remarkId} error={error} warning={warning} />
    </>
  )
}

const focus = (field: HTMLElement | null): void => field?.focus()

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  focus(field)
  field?.setSelectionRange(field.value.length, field.value.length)
}

/** Returns the text with which an edit begins: text typed on the cell selects the choice that begins with it. */
function begin(text: string, choices: readonly string[] = []): string {
  if (text === '') return text
  const typed = text.toLowerCase()
  return choices.find((choice) => choice.toLowerCase().startsWith(typed)) ?? text
}

/** Holds the text of an edit, checks it, and stages or drops it. */
function useCellEdit({ cellRef, start, change, model }: CellEditorProps) {
  const { row, environment } = cellRef
  const before = toStartText(cellRef, change)
  const [text, setText] = useState(
    start.text === undefined ? before : begin(start.text, findChoices(row)),
  )
  const parsed = parseValueOf(row, text)
  const isUntouched = text === before
  const error = isUntouched || parsed.ok ? undefined : parsed.error
  const warning =
    row.tier === 'public' && parsed.ok ? publicValueWarning(row.key, parsed.value) : undefined

  // The field also reports the loss of focus after a decision: the first decision counts.
  const isOver = useRef(false)
  const close = () => {
    isOver.current = true
    model.editing.set(toCellId(environment.id, row.key), undefined)
  }
  const commit = (): boolean => {
    if (isOver.current) return true
    if (error !== undefined) return false
    close()
    if (!isUntouched && parsed.ok) model.keepStaged([{ cellRef, value: parsed.value }])
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const meaning = toMeaning(event, row.type)
    // The grid handles Ctrl+S after the value is staged.
    if (meaning === 'save') {
      if (!commit()) event.preventDefault()
    } else if (meaning !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      if (meaning === 'cancel') {
        close()
        model.navigator.current?.step(0, 0)
      } else if (commit()) model.navigator.current?.step(...meaning)
    }
  }
  return { text, setText, error, warning, commit, close, onKeyDown }
}

interface RemarkProps {
  readonly id: string
  readonly error: string | undefined
  readonly warning: string | undefined
}

/** Renders the error or the warning below the field. */
function Remark({ id, error, warning }: RemarkProps) {
  const classes = error === undefined ? 'bg-warn-ground text-warn' : 'bg-bad-ground text-bad'
  return (
    <span
      id={id}
      role="alert"
      className={`absolute top-full left-0 z-20 mt-px w-max max-w-72 rounded-b-md px-3 py-1 text-sm shadow-lg empty:hidden ${classes}`}
    >
      {error ?? warning}
    </span>
  )
}

/** Estimates the letters that fit into a cell of a wide window. */
const lettersOfRow = 30

/** Returns the rows of a text, at most eight. The rest scrolls. */
function countRows(text: string): number {
  const rows = text.split('\n').map(({ length }) => Math.max(1, Math.ceil(length / lettersOfRow)))
  return Math.min(
    8,
    rows.reduce((all, one) => all + one, 0),
  )
}

/** Returns the initial text of an edit: the staged value, or the current one. Empty for a secret. */
function toStartText({ row, cell }: CellRef, change: StagedCell | undefined): string {
  if (row.tier === 'secret') return ''
  const value = change?.edit.kind === 'set' ? change.edit.value : cell.value
  return value === undefined ? '' : toEditText(value)
}
