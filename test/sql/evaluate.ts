import ts from 'typescript-5'
import { UnknownValue, type Choices } from './choices.ts'
import {
  isWrapper,
  keywords,
  known,
  Later,
  literalsOf,
  memberOf,
  operators,
  ownCallables,
  unalias,
  type Callable,
} from './evaluated-values.ts'

/** Holds what the parameters and constants of a function stand for in one call of it. */
export type Bindings = ReadonlyMap<ts.Symbol, unknown>

/** Holds what an evaluation needs of the program. */
export interface Evaluation {
  readonly checker: ts.TypeChecker
  readonly choices: Choices
  /** Returns the calls of a function, by its symbol. */
  readonly callsOf: (symbol: ts.Symbol) => readonly ts.CallExpression[]
}

/**
 * Returns the value of an expression without running the program: literals, constants, templates, and functions of
 * them. A parameter of a few literal types has each of them in turn; of any other, what its callers hand over.
 *
 * @throws {UnknownValue}
 */
export function evaluate(of: Evaluation, node: ts.Expression, bindings: Bindings): unknown {
  return known(evaluateExpression(of, node, bindings))
}

function evaluateExpression(of: Evaluation, node: ts.Expression, bindings: Bindings): unknown {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (keywords.has(node.kind)) return keywords.get(node.kind)
  if (isWrapper(node)) return evaluateExpression(of, node.expression, bindings)
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) {
    return toCallable(of, node, bindings)
  }
  return evaluateReference(of, node, bindings)
}

/** Evaluates what names a value: identifiers, members and calls. */
function evaluateReference(of: Evaluation, node: ts.Expression, bindings: Bindings): unknown {
  if (ts.isIdentifier(node)) return evaluateIdentifier(of, node, bindings)
  if (ts.isPropertyAccessExpression(node)) return evaluateProperty(of, node, bindings)
  if (ts.isElementAccessExpression(node)) {
    return memberOf(
      evaluate(of, node.expression, bindings),
      evaluate(of, node.argumentExpression, bindings),
    )
  }
  if (ts.isCallExpression(node)) return evaluateCall(of, node, bindings)
  return evaluateComposite(of, node, bindings)
}

/** Evaluates what is composed of other expressions. */
function evaluateComposite(of: Evaluation, node: ts.Expression, bindings: Bindings): unknown {
  if (ts.isTemplateExpression(node)) return evaluateTemplate(of, node, bindings)
  if (ts.isBinaryExpression(node)) return evaluateBinary(of, node, bindings)
  if (ts.isArrayLiteralExpression(node)) return evaluateList(of, node.elements, bindings)
  if (ts.isObjectLiteralExpression(node)) return evaluateObject(of, node, bindings)
  if (ts.isConditionalExpression(node)) {
    const { whenTrue, whenFalse } = node
    return evaluate(of, isTrue(of, node.condition, bindings) ? whenTrue : whenFalse, bindings)
  }
  throw new UnknownValue(`${ts.SyntaxKind[node.kind]} is not evaluated: ${node.getText()}`)
}

function evaluateTemplate(of: Evaluation, node: ts.TemplateExpression, bindings: Bindings): string {
  return node.templateSpans.reduce(
    (text, span) => `${text}${String(evaluate(of, span.expression, bindings))}${span.literal.text}`,
    node.head.text,
  )
}

function evaluateBinary(of: Evaluation, node: ts.BinaryExpression, bindings: Bindings): unknown {
  const operator = operators.get(node.operatorToken.kind)
  if (operator === undefined) throw new UnknownValue(`${node.getText()} is not evaluated`)
  return operator(evaluate(of, node.left, bindings), () => evaluate(of, node.right, bindings))
}

/** Returns one of both answers of a condition that is not known: the same one wherever the file asks it in these words. */
function isTrue(of: Evaluation, condition: ts.Expression, bindings: Bindings): boolean {
  try {
    return Boolean(evaluate(of, condition, bindings))
  } catch (error) {
    if (!(error instanceof UnknownValue)) throw error
  }
  const text = condition.getText()
  const positive = text.replace(' !== ', ' === ')
  const answer = of.choices.choose(`${condition.getSourceFile().fileName} ${positive}`, [
    true,
    false,
  ])
  return text === positive ? answer : !answer
}

/** Evaluates the elements of an array or the arguments of a call, each once it is needed. */
function evaluateList(
  of: Evaluation,
  list: readonly ts.Expression[],
  bindings: Bindings,
): unknown[] {
  return list.flatMap((element) => {
    if (!ts.isSpreadElement(element)) return [new Later(() => evaluate(of, element, bindings))]
    const spread = evaluate(of, element.expression, bindings)
    if (!Array.isArray(spread)) throw new UnknownValue(`${element.getText()} is no array`)
    return spread as unknown[]
  })
}

function evaluateObject(
  of: Evaluation,
  node: ts.ObjectLiteralExpression,
  bindings: Bindings,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const property of node.properties) {
    const { name } = property
    if (
      name === undefined ||
      (!ts.isPropertyAssignment(property) && !ts.isShorthandPropertyAssignment(property))
    ) {
      throw new UnknownValue(`${property.getText()} is not evaluated`)
    }
    const key = ts.isComputedPropertyName(name)
      ? evaluate(of, name.expression, bindings)
      : name.text
    const get = () =>
      ts.isPropertyAssignment(property)
        ? evaluate(of, property.initializer, bindings)
        : known(
            valueOf(
              of,
              of.checker.getShorthandAssignmentValueSymbol(property),
              property.name,
              bindings,
            ),
          )
    Object.defineProperty(result, String(key), { get, enumerable: true })
  }
  return result
}

function evaluateIdentifier(of: Evaluation, node: ts.Identifier, bindings: Bindings): unknown {
  if (node.text === 'undefined') return undefined
  if (node.text === 'Object') return Object
  return valueOf(of, of.checker.getSymbolAtLocation(node), node, bindings)
}

function valueOf(
  of: Evaluation,
  found: ts.Symbol | undefined,
  node: ts.Identifier,
  bindings: Bindings,
): unknown {
  const symbol = unalias(of.checker, found)
  if (symbol === undefined) throw new UnknownValue(`${node.text} is not declared`)
  if (bindings.has(symbol)) return bindings.get(symbol)
  const declaration = symbol.valueDeclaration
  if (declaration === undefined) throw new UnknownValue(`${node.text} is no value`)
  if (ts.isFunctionDeclaration(declaration)) return toCallable(of, declaration, bindings)
  if (ts.isVariableDeclaration(declaration)) return valueOfVariable(of, declaration, bindings)
  const literals = literalsOf(of.checker.getTypeOfSymbolAtLocation(symbol, node))
  if (literals !== undefined) return of.choices.choose(questionOf(declaration), literals)
  if (ts.isBindingElement(declaration)) return valueOfElement(of, declaration, bindings)
  if (ts.isParameter(declaration)) return valueOfParameter(of, declaration, bindings)
  throw new UnknownValue(`${node.text} is not known`)
}

/** Returns what a variable was set to, the same each time in one run; of a loop's, each element in turn. */
function valueOfVariable(
  of: Evaluation,
  declaration: ts.VariableDeclaration,
  bindings: Bindings,
): unknown {
  const { initializer } = declaration
  const loop = declaration.parent.parent
  if (ts.isForOfStatement(loop)) {
    const elements = evaluate(of, loop.expression, bindings)
    if (!Array.isArray(elements)) throw new UnknownValue(`${loop.expression.getText()} is no array`)
    return known(of.choices.choose(questionOf(declaration), elements as unknown[]))
  }
  if (initializer === undefined) throw new UnknownValue(`${declaration.getText()} has no value`)
  return of.choices.remember(declaration, () => evaluate(of, initializer, bindings))
}

/** Asks once for a parameter of a file, by its name: two functions that hand it on have the same answer. */
function questionOf(declaration: ts.Declaration): string {
  const name = ts.getNameOfDeclaration(declaration)?.getText() ?? ''
  return `${declaration.getSourceFile().fileName} ${name}`
}

function valueOfElement(of: Evaluation, element: ts.BindingElement, bindings: Bindings): unknown {
  const { parent } = element.parent
  const source = ts.isVariableDeclaration(parent)
    ? parent.initializer && evaluate(of, parent.initializer, bindings)
    : ts.isParameter(parent)
      ? valueOfParameter(of, parent, bindings)
      : valueOfElement(of, parent, bindings)
  return elementOf(of, element, { source, bindings })
}

function elementOf(
  of: Evaluation,
  element: ts.BindingElement,
  { source, bindings }: { readonly source: unknown; readonly bindings: Bindings },
): unknown {
  const key = ts.isArrayBindingPattern(element.parent)
    ? element.parent.elements.indexOf(element)
    : (element.propertyName ?? element.name).getText()
  const value = memberOf(known(source), key)
  return value === undefined && element.initializer !== undefined
    ? evaluate(of, element.initializer, bindings)
    : value
}

/** Returns what one of the callers of a function hands over. */
function valueOfParameter(
  of: Evaluation,
  parameter: ts.ParameterDeclaration,
  bindings: Bindings,
): unknown {
  const { parent: declaration } = parameter
  const name = ts.isVariableDeclaration(declaration.parent)
    ? declaration.parent.name
    : declaration.name
  const symbol = name === undefined ? undefined : of.checker.getSymbolAtLocation(name)
  const calls = symbol === undefined ? [] : of.callsOf(symbol)
  if (calls.length === 0) throw new UnknownValue(`${parameter.getText()} is given by no call`)
  const call = of.choices.choose(`call of ${questionOf(declaration)}`, calls)
  const argument = call.arguments[declaration.parameters.indexOf(parameter)]
  return argument === undefined ? undefined : evaluate(of, argument, bindings)
}

function evaluateProperty(
  of: Evaluation,
  node: ts.PropertyAccessExpression,
  bindings: Bindings,
): unknown {
  const literals = literalsOf(of.checker.getTypeAtLocation(node))
  if (literals?.length === 1) return literals[0]
  return memberOf(evaluate(of, node.expression, bindings), node.name.text)
}

function evaluateCall(of: Evaluation, node: ts.CallExpression, bindings: Bindings): unknown {
  const called = evaluate(of, node.expression, bindings)
  if (typeof called !== 'function')
    throw new UnknownValue(`${node.expression.getText()} is no function`)
  const args = evaluateList(of, node.arguments, bindings)
  return (called as Callable)(...(ownCallables.has(called) ? args : args.map(known)))
}

function toCallable(
  of: Evaluation,
  declaration: ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression,
  outer: Bindings,
): Callable {
  const callable: Callable = (...args) => {
    const bindings = new Map(outer)
    declaration.parameters.forEach((parameter, index) =>
      bind(of, parameter, { source: args[index], bindings }),
    )
    const { body } = declaration
    if (body === undefined) throw new UnknownValue('A function without a body')
    if (!ts.isBlock(body)) return evaluate(of, body, bindings)
    return runBlock(of, body, bindings)
  }
  ownCallables.add(callable)
  return callable
}

function bind(
  of: Evaluation,
  declaration: ts.ParameterDeclaration | ts.VariableDeclaration | ts.BindingElement,
  { source, bindings }: { readonly source: unknown; readonly bindings: Map<ts.Symbol, unknown> },
): void {
  const { name, initializer } = declaration
  const value =
    source === undefined && initializer !== undefined
      ? new Later(() => evaluate(of, initializer, bindings))
      : source
  if (ts.isIdentifier(name)) {
    const symbol = of.checker.getSymbolAtLocation(name)
    if (symbol !== undefined) bindings.set(symbol, value)
    return
  }
  for (const element of name.elements) {
    if (!ts.isBindingElement(element)) continue
    const source = new Later(() => elementOf(of, element, { source: value, bindings }))
    bind(of, element, { source, bindings })
  }
}

/** Runs constants, returns, and ifs that return. */
function runBlock(of: Evaluation, block: ts.Block, bindings: Map<ts.Symbol, unknown>): unknown {
  for (const statement of block.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations)
        bind(of, declaration, { source: undefined, bindings })
      continue
    }
    const taken =
      ts.isIfStatement(statement) && isTrue(of, statement.expression, bindings)
        ? statement.thenStatement
        : statement
    if (ts.isIfStatement(taken)) continue
    if (!ts.isReturnStatement(taken) || taken.expression === undefined) {
      throw new UnknownValue(`${taken.getText()} is not evaluated`)
    }
    return evaluate(of, taken.expression, bindings)
  }
  return undefined
}
