// Finds unused UI strings: the TypeScript compiler resolves each property access, destructuring and typed use of a
// string table to the key that it reads.

import { fileURLToPath } from 'node:url'
import {
  type Expression,
  isAsExpression,
  isElementAccessExpression,
  isIdentifier,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import { API, type NodeHandle, type Symbol as Property, type Type } from 'typescript/unstable/sync'
import { expect, it } from 'vitest'

const tableFile = /(words|wording|messages|labels)\.(ts|json)$|\/site\/fixed-messages\/[^/]+\.ts$/
const directory = fileURLToPath(new URL('.', import.meta.url))

it('every string of a table is read by the program', { timeout: 60_000 }, () => {
  const api = new API({ cwd: directory })
  try {
    const configFile = fileURLToPath(new URL('../tsconfig.json', import.meta.url))
    const [project] = api.updateSnapshot({ openProjects: [configFile] }).getProjects()
    if (project === undefined) throw new Error(`${configFile} names no project`)
    const { checker, program } = project
    const files = program
      .getSourceFileNames()
      .filter((name) => name.startsWith(directory) && !/\.(test|fixture)\.tsx?$/.test(name))
      .map((name) => program.getSourceFile(name))
      .filter((file) => file !== undefined)
    const keys = files.filter(({ fileName }) => tableFile.test(fileName)).flatMap(keysIn)
    const symbols = checker.getSymbolAtLocation(keys.map(({ name }) => name))
    const owned = new Set(symbols.flatMap((symbol) => declarationsOf(symbol)))
    const read = new Set<string>()

    const isKey = (property: Property) => declarationsOf(property).some((one) => owned.has(one))
    const mark = (property: Property | undefined) => {
      for (const declaration of declarationsOf(property)) read.add(declaration)
    }
    const keysByType = new Map<number, readonly Property[]>()
    const keysOf = (type: Type): readonly Property[] => {
      if (type.isLiteralType() || type.isIntrinsicType()) return []
      const known = keysByType.get(type.id)
      if (known !== undefined) return known
      const found = checker.getPropertiesOfType(type).filter(isKey)
      keysByType.set(type.id, found)
      return found
    }
    /** Marks the keys of `type` that code with a value of type `target` can read. */
    const markPassed = (type: Type, target: Type) => {
      const targets = (target.isUnionType() && target.getTypes()) || [target]
      for (const key of keysOf(type)) {
        const property = targets
          .map((one) => checker.getPropertyOfType(one, key.name))
          .find((one) => one !== undefined)
        // The target is the type of the table itself, so its accesses resolve to the keys.
        if (property !== undefined && isKey(property)) continue
        const index = targets.flatMap((one) => checker.getIndexInfosOfType(one))[0]
        if (property === undefined && index === undefined) continue
        mark(key)
        const own = checker.getTypeOfSymbol(key)
        const next = property === undefined ? index?.valueType : checker.getTypeOfSymbol(property)
        if (own !== undefined && next !== undefined) markPassed(own, next)
      }
    }

    const nodes = files.flatMap(nodesIn)
    const accesses = nodes.filter(isPropertyAccessExpression)
    checker.getSymbolAtLocation(accesses.map(({ name }) => name)).forEach(mark)
    const patterns = nodes.filter(isObjectBindingPattern)
    const patternTypes = checker.getTypeAtLocation(patterns)
    for (const [at, { elements }] of patterns.entries()) {
      const type = patternTypes[at]
      for (const { propertyName, name } of elements) {
        const key = propertyName ?? name
        if (type !== undefined && key !== undefined && isIdentifier(key))
          mark(checker.getPropertyOfType(type, key.text))
      }
    }
    const indexed = nodes.filter(isElementAccessExpression)
    const indexedTypes = checker.getTypeAtLocation(indexed.map(({ expression }) => expression))
    for (const [at, { argumentExpression }] of indexed.entries()) {
      const type = indexedTypes[at]
      const index = checker.getTypeAtLocation(argumentExpression)
      if (type === undefined || keysOf(type).length === 0) continue
      const names = (index?.isUnionType() && index.getTypes()) || [index]
      for (const name of names) {
        if (name?.isStringLiteralType()) mark(checker.getPropertyOfType(type, name.value))
        else keysOf(type).forEach(mark)
      }
    }
    const values = nodes.filter(isWholeValue)
    checker.getTypeAtLocation(values).forEach((type, at) => {
      const value = values[at]
      if (type === undefined || value === undefined || keysOf(type).length === 0) return
      const target = checker.getContextualType(value)
      if (target !== undefined) markPassed(type, target)
    })

    const unread = keys.filter((_, at) => !declarationsOf(symbols[at]).some((one) => read.has(one)))
    expect(unread.map(({ path }) => path)).toEqual([])
    expect(keys.length).toBeGreaterThan(900)
  } finally {
    api.close()
  }
})

type Key = { readonly name: Node; readonly path: string }

/** Returns the keys of a JSON file and of each object literal `as const`. */
function keysIn(file: SourceFile): readonly Key[] {
  const keys: Key[] = []
  const isJson = file.fileName.endsWith('.json')
  const collect = (node: Node, path: string, isTable: boolean): void => {
    let own = path
    if (isTable && isPropertyAssignment(node) && 'text' in node.name) {
      own = `${path} ${node.name.text}`
      keys.push({ name: node.name, path: own })
    }
    const isConstant = isAsExpression(node) && isObjectLiteralExpression(node.expression)
    node.forEachChild((child) => collect(child, own, isTable || isConstant))
  }
  collect(file, file.fileName.slice(directory.length), isJson)
  return keys
}

function declarationsOf(symbol: Property | undefined): readonly string[] {
  return (symbol?.declarations ?? []).map(({ path, index }: NodeHandle) => `${path}#${index}`)
}

function nodesIn(file: SourceFile): readonly Node[] {
  const nodes: Node[] = []
  const collect = (node: Node): void => {
    nodes.push(node)
    node.forEachChild(collect)
  }
  collect(file)
  return nodes
}

/** Whether an expression is used as a whole and not for one of its properties. */
function isWholeValue(node: Node): node is Expression {
  if (![isIdentifier, isPropertyAccessExpression, isElementAccessExpression].some((is) => is(node)))
    return false
  const { parent } = node
  if (isPropertyAccessExpression(parent)) return false
  return !(isElementAccessExpression(parent) && parent.expression === node)
}
