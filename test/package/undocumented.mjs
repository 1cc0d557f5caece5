import { readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'

const members = /^(?:TSPropertySignature|TSMethodSignature|PropertyDefinition|TSAbstractPropertyDefinition)$/
const owners = /^(?:TSInterfaceDeclaration|ClassDeclaration|TSTypeAliasDeclaration|VariableDeclarator)$/

/**
 * The members in a declaration file that an editor shows no text for, as `Owner.member`. The text of a member is the comment
 * before it, if that comment begins a line. A class inherits texts from its base and its interfaces. A literal inside a
 * member or a function needs no texts of its own.
 *
 * @param {string} path
 */
export function undocumented(path) {
  const source = readFileSync(path, 'utf8')
  const { program, comments } = parseSync(path, source)
  const documented = new Set(
    comments
      .filter(({ type, value, start }) => type === 'Block' && value[0] === '*' && /\n\s*$/.test(source.slice(0, start)))
      .map(({ end }) => end + source.slice(end).search(/\S/)),
  )
  /** What each class and interface inherits from, and the members that it describes. */
  const described = new Map()
  const missing = []

  function visit(node, owner, isCovered) {
    if (Array.isArray(node)) for (const each of node) visit(each, owner, isCovered)
    if (!node || typeof node !== 'object' || Array.isArray(node)) return
    const isOwner = owners.test(node.type)
    const isMember = members.test(node.type)
    const name = isOwner ? node.id.name : owner
    if (isOwner) described.set(name, { bases: basesOf(node), names: new Set() })
    if (isMember) {
      const member = node.key.name ?? node.key.value
      if (documented.has(node.start)) described.get(owner)?.names.add(member)
      else if (!isCovered && node.accessibility !== 'private') missing.push([owner, member])
    }
    const covers = isCovered || isMember || node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction'
    for (const child of Object.values(node)) visit(child, name, covers)
  }
  visit(program.body, '', false)

  const inherits = (owner, member) =>
    described.get(owner)?.bases.some((base) => described.get(base)?.names.has(member) || inherits(base, member))
  return missing.filter(([owner, member]) => !inherits(owner, member)).map((names) => names.join('.'))
}

function basesOf({ superClass, implements: interfaces = [], extends: extended = [] }) {
  return [superClass, ...[interfaces, extended].flat().map(({ expression }) => expression)].flatMap(
    (base) => base?.name ?? [],
  )
}
