import { dirname, join, relative } from 'node:path'
import ts from 'typescript-5'
import { root } from '../architecture/source-files.ts'
import { runEveryWay, UnknownValue } from './choices.ts'
import { evaluate, type Evaluation } from './evaluate.ts'
import { unalias } from './evaluated-values.ts'

/** One text that a call hands to the database. */
export interface Statement {
  readonly path: string
  readonly line: number
  readonly name: string
  readonly text: string
  /** The type of one row as the caller sees it; `undefined` where nobody reads an answer. */
  readonly row: ts.Type | undefined
  readonly at: ts.Node
}

/** A call whose statement is known only when the program runs. */
export interface UnknownStatement {
  readonly path: string
  readonly line: number
  readonly reason: string
}

/** Lists the statements of a program, with the checker that knows their row types. */
export interface ProgramStatements {
  readonly checker: ts.TypeChecker
  readonly statements: readonly Statement[]
  readonly unknown: readonly UnknownStatement[]
}

const methods: ReadonlySet<string> = new Set(['query', 'send', 'atCommit', 'runStatement'])

/** Opens the server's sources as a program. `extra` adds files by their path, for controls. */
export function openServerProgram(extra: Readonly<Record<string, string>> = {}): ts.Program {
  const configPath = join(root, 'packages/server/tsconfig.json')
  const { config } = ts.readConfigFile(configPath, (path) => ts.sys.readFile(path))
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, dirname(configPath))
  const options: ts.CompilerOptions = {
    ...parsed.options,
    // The sources of the other packages, and not what was built of them.
    customConditions: ['@signalbox/source'],
    noEmit: true,
    composite: false,
    incremental: false,
  }
  const host = ts.createCompilerHost(options, true)
  const added = new Map(Object.entries(extra).map(([path, text]) => [join(root, path), text]))
  return ts.createProgram({
    rootNames: [...parsed.fileNames, ...added.keys()],
    options,
    host: {
      ...host,
      fileExists: (path) => added.has(path) || host.fileExists(path),
      readFile: (path) => added.get(path) ?? host.readFile(path),
      getSourceFile: (path, languageVersion) => {
        const text = added.get(path)
        return text === undefined
          ? host.getSourceFile(path, languageVersion)
          : ts.createSourceFile(path, text, languageVersion, true)
      },
    },
  })
}

/** Finds every call of `query`, `send` and `atCommit` with a `Statement`, and each text that it may hand over. */
export function findStatements(program: ts.Program): ProgramStatements {
  const checker = program.getTypeChecker()
  const calls = callsOf(program)
  const bySymbol = indexCalls(checker, calls)
  const of = { checker, callsOf: (symbol: ts.Symbol) => bySymbol.get(symbol) ?? [] }
  const statements: Statement[] = []
  const unknown: UnknownStatement[] = []
  for (const call of calls) {
    const argument = call.arguments[statementIndex(checker, call)]
    if (argument === undefined || isHandedOn(checker, argument)) continue
    const place = locationOf(call)
    const row = rowType(checker, call)
    try {
      for (const { name, text } of textsOf(of, argument))
        statements.push({ ...place, name, text, row, at: call })
    } catch (error) {
      if (!(error instanceof UnknownValue)) throw error
      unknown.push({ ...place, reason: error.message })
    }
  }
  return { checker, statements, unknown }
}

function callsOf(program: ts.Program): ts.CallExpression[] {
  const calls: ts.CallExpression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) calls.push(node)
    ts.forEachChild(node, visit)
  }
  for (const file of program.getSourceFiles()) {
    if (file.fileName.startsWith(join(root, 'packages/server/src'))) visit(file)
  }
  return calls
}

function indexCalls(
  checker: ts.TypeChecker,
  calls: readonly ts.CallExpression[],
): Map<ts.Symbol, ts.CallExpression[]> {
  const index = new Map<ts.Symbol, ts.CallExpression[]>()
  for (const call of calls) {
    const symbol = ts.isIdentifier(call.expression)
      ? unalias(checker, checker.getSymbolAtLocation(call.expression))
      : undefined
    if (symbol === undefined) continue
    const known = index.get(symbol)
    if (known === undefined) index.set(symbol, [call])
    else known.push(call)
  }
  return index
}

function locationOf(node: ts.Node): { readonly path: string; readonly line: number } {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
  return { path: relative(root, file.fileName).replaceAll('\\', '/'), line: line + 1 }
}

/** Returns which argument of a call is a statement that it sends; -1 where none is. */
function statementIndex(checker: ts.TypeChecker, call: ts.CallExpression): number {
  const { expression } = call
  const name = ts.isPropertyAccessExpression(expression)
    ? expression.name.text
    : expression.getText()
  if (!methods.has(name)) return -1
  const parameters = checker.getResolvedSignature(call)?.parameters ?? []
  return parameters.findIndex(
    (parameter) => checker.getTypeOfSymbolAtLocation(parameter, call).symbol?.name === 'Statement',
  )
}

/** Returns whether a call hands on the statement of its own caller, which is found there. */
function isHandedOn(checker: ts.TypeChecker, argument: ts.Expression): boolean {
  const declaration = checker.getSymbolAtLocation(argument)?.valueDeclaration
  if (declaration === undefined) return false
  const isStatement = checker.getTypeAtLocation(argument).symbol?.name === 'Statement'
  return (
    isStatement &&
    (ts.isParameter(declaration) ||
      (ts.isVariableDeclaration(declaration) && ts.isForOfStatement(declaration.parent.parent)))
  )
}

function rowType(checker: ts.TypeChecker, call: ts.CallExpression): ts.Type | undefined {
  const signature = checker.getResolvedSignature(call)
  const promised = signature && checker.getAwaitedType(checker.getReturnTypeOfSignature(signature))
  const row = promised && checker.getIndexTypeOfType(promised, ts.IndexKind.Number)
  return row === undefined || (row.getProperties().length === 0 && !row.isUnion()) ? undefined : row
}

function textsOf(
  of: Omit<Evaluation, 'choices'>,
  argument: ts.Expression,
): { name: string; text: string }[] {
  const found = runEveryWay((choices) => {
    const statement = evaluate({ ...of, choices }, argument, new Map())
    if (typeof statement !== 'object' || statement === null)
      throw new UnknownValue('It is no statement')
    const name: unknown = Reflect.get(statement, 'name')
    const text: unknown = Reflect.get(statement, 'text')
    if (typeof text !== 'string')
      throw new UnknownValue(`The text is not known: ${argument.getText().slice(0, 80)}`)
    return { name: typeof name === 'string' ? name : '', text }
  })
  return [...new Map(found.map((each) => [`${each.name}\n${each.text}`, each])).values()]
}
