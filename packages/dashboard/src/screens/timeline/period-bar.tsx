import { Clock } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { Segments } from '../../components/tabs.tsx'
import {
  changeFields,
  isReversed,
  readFrom,
  readTo,
  toFields,
  type MomentFields,
  type Period,
} from './period.ts'
import { rangeNames, spans, type TimelineSearch } from './search.ts'

interface PeriodBarProps {
  readonly search: TimelineSearch
  readonly period: Period
  readonly onChange: (change: TimelineSearch) => void
}

const noPeriod: TimelineSearch = {
  range: undefined,
  from: undefined,
  to: undefined,
  at: undefined,
  mark: undefined,
  span: undefined,
}

const rangeOptions = [
  { value: 'all', label: 'All time' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
] as const

type RangeOption = (typeof rangeOptions)[number]['value'] | 'custom'

/** Chooses the period: a range that ends now, two moments, or the time around one. */
export function PeriodBar({ search, period, onChange }: PeriodBarProps) {
  const [isJumping, setJumping] = useState(false)
  const isCustom = [search.from, search.to, search.at].some((value) => value !== undefined)
  const pick = (value: RangeOption) =>
    onChange({
      ...noPeriod,
      range: rangeNames.find((name) => name === value),
    })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Segments<RangeOption>
        label="Period"
        value={isCustom ? 'custom' : (search.range ?? 'all')}
        onChange={pick}
        options={rangeOptions}
      />
      <Ends search={search} period={period} onChange={onChange} />
      {isReversed(period) && (
        <p role="alert" className="text-sm text-bad">
          The period ends before it begins.
        </p>
      )}
      <Button icon={Clock} onClick={() => setJumping(true)}>
        Jump to a moment
      </Button>
      {search.at !== undefined && (
        <Segments
          label="Time around the moment"
          value={String(search.span ?? spans[0])}
          onChange={(value) => onChange({ span: Number(value) })}
          options={[
            { value: '30', label: '± 30 min' },
            { value: '120', label: '± 2 h' },
            { value: '1440', label: '± 1 day' },
          ]}
        />
      )}
      {isJumping && (
        <JumpDialog
          onClose={() => setJumping(false)}
          onJump={(at) => {
            setJumping(false)
            onChange({ ...noPeriod, at })
          }}
        />
      )}
    </div>
  )
}

/** Renders the first moment and the end as the browser's fields for a date and a time. */
function Ends({ period, onChange }: PeriodBarProps) {
  const [from, to] = [toFields(period.from), toFields(period.before)]
  const set = (changed: { readonly from?: MomentFields; readonly to?: MomentFields }) => {
    const now = new Date()
    const first = changed.from === undefined ? period.from : readFrom(changed.from, now)
    const end = changed.to === undefined ? period.before : readTo(changed.to, first, now)
    onChange({ ...noPeriod, from: first, to: end })
  }
  return (
    <div role="group" aria-label="From and to" className="flex flex-wrap items-center gap-1.5">
      <span aria-hidden className="text-muted">
        From
      </span>
      <MomentInputs name="From" fields={from} onChange={(changed) => set({ from: changed })} />
      <span aria-hidden className="text-muted">
        to
      </span>
      <MomentInputs name="To" fields={to} onChange={(changed) => set({ to: changed })} />
    </div>
  )
}

/** Holds the last day that the fields take: a year has four digits. */
const lastDay = '9999-12-31'

interface MomentInputsProps {
  readonly name: string
  readonly fields: MomentFields
  readonly onChange: (fields: MomentFields) => void
}

function MomentInputs({ name, fields, onChange }: MomentInputsProps) {
  /** Holds the time that was given without a date, from which the shown date followed. */
  const [timeAlone, setTimeAlone] = useState<string>()
  const isImplied = fields.date === '' || fields.time === timeAlone
  const changeDate = (date: string) => {
    setTimeAlone(undefined)
    onChange(changeFields(fields, { date }, false))
  }
  const changeTime = (time: string) => {
    setTimeAlone(isImplied ? time : undefined)
    onChange(changeFields(fields, { time }, isImplied))
  }
  return (
    <>
      <input
        type="date"
        aria-label={`${name} date`}
        className="control w-40"
        max={lastDay}
        value={fields.date}
        onChange={({ target }) => changeDate(target.value)}
      />
      <input
        type="time"
        aria-label={`${name} time`}
        className="control w-32"
        value={fields.time}
        onChange={({ target }) => changeTime(target.value)}
      />
    </>
  )
}

interface JumpDialogProps {
  readonly onClose: () => void
  readonly onJump: (at: string) => void
}

/** Asks for a moment. It begins with the present one, of which mostly the time is changed. */
function JumpDialog({ onClose, onJump }: JumpDialogProps) {
  const [start] = useState(() => toFields(new Date().toISOString()))
  return (
    <FormDialog
      validates
      title="Jump to a moment"
      description="Shows the changes from 30 minutes before to 30 minutes after it."
      submitLabel="Jump"
      onClose={onClose}
      onSubmit={(form) => {
        const field = fieldsOf(form)
        const at = readFrom({ date: field('date'), time: field('time') }, new Date())
        if (at !== undefined) onJump(at)
      }}
    >
      <TextField label="Time" name="time" type="time" step={1} defaultValue={start.time} required />
      <TextField
        label="Date"
        name="date"
        type="date"
        max={lastDay}
        defaultValue={start.date}
        required
      />
    </FormDialog>
  )
}
