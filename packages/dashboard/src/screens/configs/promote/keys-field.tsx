import type { ConfigSchema } from '../schema-picker.tsx'
import { KeyChoice } from './key-choice.tsx'
import type { Extent } from './promotion.ts'

interface KeysFieldProps {
  readonly schema: ConfigSchema
  /** Lists the keys that have a value in the source. */
  readonly offered: readonly string[]
  /** Names the environment to promote from. */
  readonly source: string
  readonly extent: Extent | undefined
  readonly chosen: readonly string[]
  readonly onExtent: (extent: Extent) => void
  readonly onChoose: (keys: readonly string[]) => void
}

/** Lets a person promote all keys, or choose some. */
export function KeysField(props: KeysFieldProps) {
  const { schema, offered, source, extent, chosen, onExtent, onChoose } = props
  return (
    <>
      <ExtentField extent={extent} source={source} onExtent={onExtent} />
      {extent === 'selected' && (
        <KeyChoice schema={schema} offered={offered} chosen={chosen} onChoose={onChoose} />
      )}
    </>
  )
}

interface ExtentFieldProps {
  readonly extent: Extent | undefined
  readonly source: string
  readonly onExtent: (extent: Extent) => void
}

function ExtentField({ extent, source, onExtent }: ExtentFieldProps) {
  const labels = {
    all: `All keys set in ${source}`,
    selected: 'Only selected keys',
  } as const
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">Which keys</legend>
      {(['all', 'selected'] as const).map((one) => (
        <label key={one} className="flex min-h-7 items-center gap-2">
          <input
            type="radio"
            name="extent"
            className="size-4 shrink-0 accent-accent"
            checked={extent === one}
            onChange={() => onExtent(one)}
          />
          <span className="min-w-0 wrap-anywhere">{labels[one]}</span>
        </label>
      ))}
    </fieldset>
  )
}
