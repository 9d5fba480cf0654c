import ts from 'typescript-5'
import {
  findingAt,
  isSandboxFile,
  isTestFile,
  nodesOf,
  type Finding,
  type SourceFile,
} from './source-files.ts'

/** Lists the files that may parse JSON themselves: this service wrote it, or its texts are not stored or are checked one by one. */
const ownTexts: readonly { readonly why: string; readonly files: RegExp }[] = [
  { why: 'the door itself', files: /\/egress\/foreign-json\.ts$/ },
  { why: 'the door of requests, which refuses such a text', files: /\/http\/input\/json\.ts$/ },
  {
    why: 'what a row, a file or a sealed text of this service holds',
    files:
      /\/(?:config-model\/(?:constraints\/check-rules|sealed-secrets|segment-texts)|delivery\/(?:server\/server-item|browser\/browser-item|cache\/saved-rows|ofrep\/(?:ofrep-failure|flag-set)|flagd(?:-sync)?\/[a-z-]+|disk\/[a-z-]+)|read-models\/notifications\/subject-rows|notifications\/outgoing-webhooks\/save-webhook|integrations\/(?:grants\/[a-z-]+|connect\/revoke-integration|apps\/stored-application|webhooks\/webhook-secrets)|configs\/[a-z]+\/[a-z-]+|store\/(?:import-database|embedded\/prepare-native)|version|inbox\/get-delivery|http\/(?:assert-declared|call-endpoint|openapi\/json-schema)|overview\/assistants\/mcp-server|telemetry\/pretty-lines)\.ts$/,
  },
  {
    why: 'what a node of this service signed or sent, in a shape that names each text',
    files: /\/(?:delivery\/relay\/[a-z-]+|replica\/[a-z-]+)\.ts$/,
  },
  {
    why: 'what a caller sends back of what it was given, or shows to be believed; none of it is stored',
    files:
      /\/(?:http\/input\/cursors|integrations\/connect\/authorization-state|delivery\/http\/authenticate|test-runs\/reports\/issuer-keys)\.ts$/,
  },
  {
    why: 'an answer that is only looked at',
    files: /\/(?:audit\/outlets\/otlp-outlet|providers\/call-provider)\.ts$/,
  },
  {
    why: 'a report: toKeptText makes each text storable',
    files: /\/test-runs\/reports\/parse-ctrf\.ts$/,
  },
  {
    why: 'a file of a repository: each text is cut and made storable',
    files: /\/providers\/(?:codehosts\/workflow-file|gitlab\/ci-file)\.ts$/,
  },
  {
    why: 'a context: evaluated, and stored nowhere',
    files: /\/delivery\/http\/evaluation-body\.ts$/,
  },
]

/** A list, and a header, which has no surrogate pairs. */
const notTexts =
  /\/(?:overview\/assistants\/tools\/get-key|http\/admission\/authorize-request)\.ts$/

const isServer = /^packages\/server\/src\//

/** Texts of others that come in beside `parseForeignJson`, and cuts that may halve a surrogate pair. */
export function unguardedTexts(file: SourceFile): Finding[] {
  if (!isServer.test(file.path) || isTestFile(file.path) || isSandboxFile(file.path)) return []
  const isOwn = ownTexts.some(({ files }) => files.test(file.path))
  return nodesOf(file.tree).flatMap((node) => {
    if (!isOwn && parsesText(node))
      return findingAt(file, node, 'parses a text; parseForeignJson does, where it is of others')
    return !notTexts.test(file.path) && cutsText(node)
      ? findingAt(file, node, 'may halve a character; cutText does not')
      : []
  })
}

function parsesText(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return /^'yaml'$/.test(node.moduleSpecifier.getText())
  if (!ts.isPropertyAccessExpression(node)) return false
  if (node.name.text === 'parse') return node.expression.getText() === 'JSON'
  return node.name.text === 'json' && ts.isCallExpression(node.parent) && isAwaited(node.parent)
}

function isAwaited(call: ts.CallExpression): boolean {
  return call.arguments.length === 0 && ts.isAwaitExpression(call.parent)
}

/** Names of lengths of texts. Lists are cut at names such as `shownMax`. */
const lengthOfText =
  /^(?:text|payloadText|line|message|commitMessage|name|title|detail|reason|characters|segmentCharacters)(?:Max|Length|Shown)(?: \/ \d)?$/
const shortestText = 100

function cutsText(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const [from, to] = node.arguments
  if (node.expression.name.text !== 'slice' || from?.getText() !== '0' || to === undefined)
    return false
  return ts.isNumericLiteral(to)
    ? Number(to.text.replaceAll('_', '')) >= shortestText
    : lengthOfText.test(to.getText())
}
