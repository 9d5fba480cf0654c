import type { PresentedKey } from '../api/operations.ts'
import { parseValue } from '../schema/parse-value.ts'
import { CliError } from '../terminal/cli-error.ts'
import { didYouMean } from '../terminal/nearest.ts'
import type { Serve } from './rules.ts'

/** Describes what a rule is to serve, as it was typed. */
export interface TypedServe {
  readonly serve?: string | undefined
  readonly split?: readonly string[] | undefined
  readonly by?: string | undefined
}

/** Describes a flag or a targeted key, by which a served value is read. */
export interface RuledKey {
  readonly name: string
  readonly definition: PresentedKey
}

/**
 * Reads what a rule serves by the kind of its key: `on`, `off` or `10%` of a flag, a variant, a value of the key's type, or a split
 * such as `small=90, large=10`. `undefined`: nothing was typed.
 *
 * @throws {CliError} `invalid_serve`, or `type_mismatch` for a value of another type
 */
export function readServe(key: RuledKey, { serve, split, by }: TypedServe): Serve | undefined {
  if (serve !== undefined && split !== undefined) {
    throw invalid('A rule serves one thing or a split.', 'Use --serve or --split, not both.')
  }
  const read =
    split === undefined ? serve && readWhole(key, serve) : readSplit(key, split.join(','))
  if (by === undefined) return read === '' ? undefined : read
  if (typeof read === 'object' && ('percent' in read || 'split' in read)) return { ...read, by }
  throw invalid(
    '--by names the attribute that divides users, and the rule divides none.',
    'Use it with a share or a split: --serve 10% --by accountId',
  )
}

const switches: Readonly<Record<string, boolean>> = {
  on: true,
  true: true,
  off: false,
  false: false,
}

function readWhole(key: RuledKey, text: string): Serve {
  const { definition, name } = key
  if (definition.tier !== 'featureFlags') return { value: parseValue(name, definition.type, text) }
  const variants = definition.variants ?? []
  if (variants.some((variant) => variant.name === text)) return { variant: text }
  if (Object.hasOwn(switches, text)) return switches[text] === true
  const [, percent] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text) ?? []
  if (percent !== undefined) return { percent: Number(percent) }
  throw unknown(key, text)
}

type Part = Extract<Serve, { split: unknown }>['split'][number]

/** Matches a value and its share. A value may have commas and `=`. */
const partForm = /\s*(.+?)\s*=\s*(\d+(?:\.\d+)?)\s*%?\s*(?:,|$)/gs

function readSplit(key: RuledKey, text: string): Serve {
  const parts = [...text.matchAll(partForm)]
  const isWhole = parts.map(([part]) => part).join('') === text
  if (parts.length === 0 || !isWhole) {
    throw invalid(
      `--split: "${text}" is no list of shares.`,
      'Write each as value=percent: --split small=90,large=10',
    )
  }
  return {
    split: parts.map(([, served = '', percent = '']) => readPart(key, served, Number(percent))),
  }
}

function readPart(key: RuledKey, text: string, percent: number): Part {
  const served = readWhole(key, text)
  if (typeof served === 'object' && ('value' in served || 'variant' in served)) {
    return { ...served, percent }
  }
  const { variants = [] } = key.definition
  if (variants.length > 0) throw unknown(key, text)
  throw invalid(
    `${key.name} is on or off, so a split has nothing else to divide.`,
    'Serve a share: --serve 10%',
  )
}

function unknown({ name, definition }: RuledKey, text: string): CliError {
  const names = (definition.variants ?? []).map((variant) => variant.name)
  return names.length === 0
    ? invalid(
        `${name} is a flag, and "${text}" is nothing that it serves.`,
        'Use on, off or a share such as 10%.',
      )
    : invalid(
        `${name} has no variant "${text}".`,
        didYouMean(text, names) ?? `Its variants: ${names.join(', ')}.`,
      )
}

function invalid(message: string, advice: string): CliError {
  return new CliError('usage', 'invalid_serve', message, { advice })
}
