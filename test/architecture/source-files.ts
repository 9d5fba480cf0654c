import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..')

/** One file of ours, parsed once a rule reads its tree. */
export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly text: string
  readonly tree: ts.SourceFile
}

/** A place that breaks a rule. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly detail: string
}

const ours = ['packages/*/src/**/*.{ts,tsx}', '{test,e2e,bench,scripts,examples}/**/*.{ts,tsx}']
const beside = ['*.ts', 'packages/*/*.ts', 'packages/*/types/**/*.{ts,tsx}']

let sourceFiles: readonly SourceFile[] | undefined

/** Returns the TypeScript files that a person wrote. Parses them once for all tests of a process. */
export function readSourceFiles(): readonly SourceFile[] {
  return (sourceFiles ??= parseSourceFiles(ours))
}

/** Returns the TypeScript files outside of all source folders: settings of tools, and tests of types. */
export function readFilesBeside(): readonly SourceFile[] {
  return parseSourceFiles(beside)
}

function parseSourceFiles(patterns: readonly string[]): SourceFile[] {
  return globSync(patterns, {
    cwd: root,
    exclude: (name) => /(^|[/\\])(node_modules|dist|\.next|\.test)$/.test(name),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))
}

/** No rule reads the tree of a comment. */
const options = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
}

/** A file as the rules see it. Tests use it for files that break a rule on purpose. */
export function parseSource(path: string, text: string): SourceFile {
  let tree: ts.SourceFile | undefined
  return {
    path,
    text,
    get tree() {
      return (tree ??= ts.createSourceFile(path, text, options, true))
    },
  }
}

/** Returns whether only tests, benches and other tools read the file, so that the rules about the product do not apply. */
export function isTestFile(path: string): boolean {
  return !path.startsWith('packages/') || /\.(test|test-d|proof)\.tsx?$|\/testing\//.test(path)
}

/** Returns whether the sandbox ships the file: its own folders, and the `stand-in/` in the folder of each provider. */
export function isSandboxFile(path: string): boolean {
  return /^packages\/(?:sandbox\/|server\/src\/providers\/[a-z-]+\/stand-in\/)/.test(path)
}

/** The finding that `node` breaks a rule. */
export function findingAt(file: SourceFile, node: ts.Node, detail: string): Finding {
  const { line } = file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree))
  return { path: file.path, line: line + 1, detail }
}

/** Every node below `node`, parents first. */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  if (!ts.isSourceFile(node)) return listNodes(node)
  const known = nodesOfFiles.get(node) ?? listNodes(node)
  nodesOfFiles.set(node, known)
  return known
}

/** Keeps the nodes of each file, which a dozen rules read. */
const nodesOfFiles = new WeakMap<ts.SourceFile, readonly ts.Node[]>()

function listNodes(node: ts.Node, into: ts.Node[] = []): readonly ts.Node[] {
  ts.forEachChild(node, (child) => {
    into.push(child)
    listNodes(child, into)
  })
  return into
}

/** One line per finding, as an editor can open it. */
export function showFindings(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line, detail }) => `${path}:${line} ${detail}`)
}
