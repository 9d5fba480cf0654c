import { fileURLToPath, pathToFileURL } from 'node:url'
import process from 'node:process'
import { CliError } from '../terminal/cli-error.ts'
import { isCommonJs } from './is-commonjs.ts'

const limitMs = 10_000

/** Lists the errors of Node's own TypeScript support that jiti can handle. */
const beyondNode = new Set([
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
])

/**
 * Runs a TypeScript or JavaScript module and returns its exports. Its output goes to stderr. Node's own type
 * stripping comes first; jiti handles the rest (enums, imports without extension, Node 20, modules in a CommonJS
 * package).
 */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const restorePrints = sendPrintsToStderr()
  const restoreWarnings = silenceReparseWarning()
  try {
    return await withinLimit(path, importByAnyLoader(path))
  } finally {
    restoreWarnings()
    restorePrints()
  }
}

async function importByAnyLoader(path: string): Promise<Readonly<Record<string, unknown>>> {
  const isNodes = process.features.typescript !== false || /\.m?js$/.test(path)
  if (isNodes && !(await isCommonJs(path))) {
    try {
      const loaded: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href)
      return loaded
    } catch (error) {
      if (!beyondNode.has(codeOf(error) ?? '')) throw error
    }
  }
  const { createJiti } = await import('jiti')
  const jiti = createJiti(path, { interopDefault: false, alias: await ownPackages() })
  return jiti.import(path)
}

/** Falls back to our own copy of the library, for a project that is not installed yet. */
async function ownPackages(): Promise<Record<string, string>> {
  try {
    return { '@signalbox/config': fileURLToPath(import.meta.resolve('@signalbox/config')) }
  } catch {
    return {}
  }
}

async function withinLimit<T>(path: string, loading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new CliError(
          'validation',
          'definition_hangs',
          `${path} did not finish loading within 10 s.`,
          {
            advice: 'A definition only declares keys. Remove network calls and waiting from it.',
          },
        ),
      )
    }, limitMs)
  })
  try {
    return await Promise.race([loading, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Redirects stdout, which is reserved for data, because definitions may print. */
function sendPrintsToStderr(): () => void {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return () => {
    process.stdout.write = write
  }
}

/**
 * Keeps Node from warning that it parses the file twice, because its `package.json` has no `type`. The file is small, and the other
 * programs of the project may want that `package.json` as it is.
 */
function silenceReparseWarning(): () => void {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = (...args: readonly unknown[]) => {
    const isExpected = args.some((each) => codeOf(each) === 'MODULE_TYPELESS_PACKAGE_JSON')
    if (!isExpected) Reflect.apply(emitWarning, undefined, args)
  }
  return () => {
    process.emitWarning = emitWarning
  }
}

function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string'
    ? error.code
    : undefined
}
