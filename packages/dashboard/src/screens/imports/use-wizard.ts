import { recognizeSource, toBatches, type ReadExport } from '@signalbox/cli/importers'
import type { PlannedKey } from '@signalbox/contract/rest'
import { useMemo, useState } from 'react'
import { useDebounced } from '../../browser/use-debounced.ts'
import type { Environment } from '../configs/environments.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import type { Confirmation } from '../configs/use-save.ts'
import {
  guessEnvironment,
  isMapped,
  openExport,
  readMapped,
  type EnvironmentMap,
  type OpenedExport,
} from './open-export.ts'
import { isSelectable, selectAtFirst } from './plan.ts'
import { nothingGiven, type GivenExport } from './source-panel.tsx'
import type { ImportTarget } from './target-panel.tsx'
import { useImport } from './use-import.ts'

/** Holds what an import is made of. */
export interface WizardInput {
  readonly schemas: readonly ConfigSchema[]
  readonly environments: readonly Environment[]
  /** Holds the id of the schema that the address names. Empty: a new one. */
  readonly schemaId: string
}

interface Form {
  readonly input: GivenExport
  readonly target: ImportTarget
  /** Holds the environments that a person has mapped. */
  readonly chosen: EnvironmentMap
}

/** Holds the steps of an import. A change of an earlier step drops the plan, which was about something else. */
export function useWizard({ schemaId, ...known }: WizardInput) {
  const [form, setForm] = useState<Form>({
    input: nothingGiven,
    target: { schemaId, newName: '' },
    chosen: new Map(),
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>()
  const [allowPlain, setAllowPlain] = useState<readonly string[]>([])
  const [violation, setViolation] = useState<string>()
  const { state, plan, store, reset } = useImport()
  const { read, ...mapped } = useMapped(form, known)
  const { source, name } = mapped
  const planned = state.plan?.keys ?? []
  const picked = selected ?? selectAtFirst(planned)
  const change = (next: Partial<Form>) => {
    setForm({ ...form, ...next })
    setSelected(undefined)
    setAllowPlain([])
    setViolation(undefined)
    reset()
  }
  /** Reads the export under our names, and hands it on. */
  const withRead = (go: (read: ReadExport) => void) => {
    const result = read()
    if (result === undefined) return
    if ('violation' in result) return setViolation(result.violation)
    setViolation(undefined)
    go(result)
  }
  const showPlan = (plain: readonly string[]) =>
    withRead((result) => {
      if (source === undefined) return
      plan({ schema: name, documents: toBatches(source, result), allowPlain: plain })
    })
  return {
    ...form,
    ...mapped,
    state,
    violation,
    picked,
    change,
    select: setSelected,
    showPlan: () => {
      setSelected(undefined)
      showPlan(allowPlain)
    },
    /** Says that a key is no secret, and shows the plan again, which then imports it. */
    allow: (key: string) => {
      if (selected !== undefined) setSelected(new Set([...selected, key]))
      setAllowPlain([...allowPlain, key])
      showPlan([...allowPlain, key])
    },
    importPicked: (confirmation: Confirmation) =>
      withRead((result) => {
        const { keys, update } = takePicked(result.keys, planned, picked)
        if (source === undefined) return
        const documents = toBatches(source, { keys, leftOut: result.leftOut })
        store({ schema: name, documents, update, allowPlain, confirmation })
      }),
  }
}

/** Opens what was input, and maps it to the environments and the schema of the form. */
function useMapped(
  { input, target, chosen }: Form,
  { schemas, environments }: Pick<WizardInput, 'schemas' | 'environments'>,
) {
  const { source, reading } = useOpened(input)
  const readable = reading === undefined || 'violation' in reading ? undefined : reading
  const map = withGuesses(readable, chosen, environments)
  const schema = schemas.find(({ id }) => id === target.schemaId)
  const name = schema?.name ?? target.newName.trim()
  return {
    source,
    reading,
    readable,
    map,
    name,
    isReady: readable !== undefined && name !== '' && isMapped(readable.environments, map),
    read: () => readable && readMapped(readable, map, schema?.schema),
  }
}

/** Returns what is sent: all but the keys that a person dropped, so that the result names what is unchanged and what fails. */
function takePicked(
  keys: ReadExport['keys'],
  planned: readonly PlannedKey[],
  picked: ReadonlySet<string>,
) {
  const rows = planned.filter(isSelectable)
  const dropped = new Set(rows.filter(({ key }) => !picked.has(key)).map(({ key }) => key))
  return {
    keys: keys.filter(({ key }) => !dropped.has(key)),
    update: rows
      .filter(({ action, key }) => action === 'skip' && picked.has(key))
      .map(({ key }) => key),
  }
}

/** Holds the steps of an import. */
export type Wizard = ReturnType<typeof useWizard>

/** Opens what was input once the typing pauses. `source` is the product that it is read as. */
function useOpened(input: GivenExport) {
  const text = useDebounced(input.text)
  return useMemo(() => {
    if (text.trim() === '') return { source: undefined, reading: undefined }
    const source = input.source ?? recognizeSource(text)
    return { source, reading: source && openExport(source, text) }
  }, [input.source, text])
}

/** Adds the guesses to what a person has chosen. */
function withGuesses(
  reading: OpenedExport | undefined,
  chosen: EnvironmentMap,
  environments: readonly Environment[],
): EnvironmentMap {
  const ours = environments.map(({ name }) => name)
  const guesses = (reading?.environments ?? []).flatMap((name) => {
    const guess = guessEnvironment(name, ours)
    return guess === undefined ? [] : [[name, guess] as const]
  })
  return new Map<string, string | null>([...guesses, ...chosen])
}
