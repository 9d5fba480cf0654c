import ts from 'typescript-5'
import { importsOf } from './imports.ts'
import {
  findingAt,
  isSandboxFile,
  isTestFile,
  nodesOf,
  type Finding,
  type SourceFile,
} from './source-files.ts'

/** A way to the world outside of the process that belongs into few files. */
interface PlatformRule {
  readonly what: string
  /** The files the rule is about. */
  readonly within: RegExp
  /** Lists the files that may do it, each with the reason. */
  readonly allowed: readonly RegExp[]
  matches(node: ts.Node): boolean
}

const random = /^(randomBytes|randomInt|randomUUID|randomFill|randomFillSync|getRandomValues)$/
const outbound = /^(fetch|request|get)$/

/** Matches the names of values that only their owner can compute. */
const secretName = /(?:^|\.|[a-z])(?:[hH]ash|[mM]ac|[sS]ignature|[dD]igest)$/

const rules: readonly PlatformRule[] = [
  {
    what: 'reads process.env; settings.ts does',
    // The command line is a program of the person at the terminal: its environment is its input.
    within: /^packages\/(contract|config|server)\//,
    allowed: [
      /\/settings\.ts$/,
      // It finds a person's cache directory.
      /\/config\/src\/server\/disk-storage\.ts$/,
    ],
    matches: (node) => isMember(node, 'process', /^env$/),
  },
  {
    what: 'calls out; egress/ does',
    within: /^packages\/server\/src\//,
    allowed: [/\/server\/src\/egress\//],
    matches: (node) =>
      isGlobalCall(node, 'fetch') ||
      isMember(node, 'globalThis', /^fetch$/) ||
      isMember(node, /^https?$/, outbound) ||
      importsFrom(node, /^(undici|node:https?)$/, outbound),
  },
  {
    what: 'reads the clock; take now: () => Date',
    within: /^packages\/(contract|server)\//,
    allowed: [
      // The service starts here, and hands the clock to everything else.
      /\/server\/src\/start\/open-process\.ts$/,
      // A person at the terminal sees this while waiting.
      /\/server\/src\/commands\//,
      // Each line is logged with its time.
      /\/server\/src\/telemetry\/log\.ts$/,
      // The id of an audit event holds a moment; its time is the database's.
      /\/server\/src\/audit\/record-event\.ts$/,
    ],
    matches: (node) =>
      isMember(node, 'Date', /^now$/) ||
      (ts.isNewExpression(node) &&
        node.expression.getText() === 'Date' &&
        (node.arguments?.length ?? 0) === 0),
  },
  {
    what: 'compares a hash letter by letter; timingSafeEqual takes as long for a near miss',
    within: /^packages\/server\/src\//,
    allowed: [
      // Of what nobody keeps secret: content, requests, audit events, and a state that shows the hash beside it.
      /\/notifications\/sending\/refresh-notification\.ts$/,
      /\/store\/idempotency\.ts$/,
      /\/audit\/(?:verify-)?chain\.ts$/,
      /\/integrations\/connect\/finish-authorization\.ts$/,
      // Of two hashes that are stored, neither of which a request brings.
      /\/sessions\/authenticate-by-password\.ts$/,
    ],
    matches: (node) => comparedTexts(node).some((side) => secretName.test(side.getText())),
  },
  {
    what: 'makes up a value; crypto/ does',
    within: /^packages\/server\/src\//,
    allowed: [
      /\/server\/src\/crypto\//,
      // Jitter before a retry, and the name of this node among the others: nobody gains by guessing them.
      /\/server\/src\/store\/(announcements|transaction|follow\/poll-loop)\.ts$/,
    ],
    matches: (node) =>
      isMember(node, 'Math', /^random$/) ||
      isMember(node, 'crypto', random) ||
      importsFrom(node, /^node:crypto$/, random),
  },
]

/** Uses of the environment, the network, the clock and chance outside of the files that are there for it. */
export function misplacedPlatformUse(file: SourceFile): Finding[] {
  if (isTestFile(file.path) || isSandboxFile(file.path)) return []
  const mine = rules.filter(
    ({ within, allowed }) =>
      within.test(file.path) && !allowed.some((place) => place.test(file.path)),
  )
  return nodesOf(file.tree).flatMap((node) =>
    mine.filter((rule) => rule.matches(node)).map(({ what }) => findingAt(file, node, what)),
  )
}

function isMember(node: ts.Node, object: string | RegExp, member: RegExp): boolean {
  const named = (name: string) => (typeof object === 'string' ? object === name : object.test(name))
  if (ts.isPropertyAccessExpression(node)) {
    return named(node.expression.getText()) && member.test(node.name.text)
  }
  return (
    ts.isElementAccessExpression(node) &&
    named(node.expression.getText()) &&
    ts.isStringLiteralLike(node.argumentExpression) &&
    member.test(node.argumentExpression.text)
  )
}

/** Returns whether a call is one of the platform's function, and not of the file's own. */
function isGlobalCall(node: ts.Node, name: string): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === name &&
    ![...nodesOf(node.getSourceFile())].some((each) => declares(each, name))
  )
}

function declares(node: ts.Node, name: string): boolean {
  const declared =
    ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isParameter(node)
  return declared && node.name?.getText() === name
}

function importsFrom(node: ts.Node, module: RegExp, name: RegExp): boolean {
  return (
    ts.isImportDeclaration(node) &&
    ts.isStringLiteralLike(node.moduleSpecifier) &&
    // Before the whole file is read once more.
    module.test(node.moduleSpecifier.text) &&
    importsOf({ path: '', text: '', tree: node.getSourceFile() }).some(
      (each) =>
        each.node === node && !each.typeOnly && each.names.some((imported) => name.test(imported)),
    )
  )
}

/** Both sides of a comparison, unless one of them is a constant. */
function comparedTexts(node: ts.Node): readonly ts.Expression[] {
  const sides = sidesOf(node)
  return sides.some(
    (side) => ts.isLiteralExpression(side) || /^(?:undefined|null)$/.test(side.getText()),
  )
    ? []
    : sides
}

const equality = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
])

function sidesOf(node: ts.Node): readonly ts.Expression[] {
  if (ts.isBinaryExpression(node) && equality.has(node.operatorToken.kind)) {
    return [node.left, node.right]
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  const { name, expression } = node.expression
  return name.text === 'equals' ? [expression, ...node.arguments] : []
}
