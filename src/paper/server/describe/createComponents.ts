import { z } from 'zod';
import * as contract from '../../../contract/index.ts';
import type { Dialect } from '../../../contract/index.ts';

export type JsonObject = Record<string, unknown>;

/** Schemas under their names, and references to them. */
export interface Components {
  /** A reference to a schema; one that the contract doesn't name gets `name`. */
  ref(schema: z.ZodType, name: string): { $ref: string };
  /** JSON Schema of every schema that was referred to, directly or not, by name. */
  schemas(): Record<string, JsonObject>;
}

const PREFIX = '#/components/schemas/';

/**
 * The contract's schemas as JSON Schema (2020-12, which OpenAPI 3.1 and AsyncAPI 3 speak). A schema that
 * the contract exports has its export's name: `orderRecord` is `OrderRecord` (LEG-12).
 */
export function createComponents({ pacemakerMinSeconds }: Dialect['limits']): Components {
  const registry = z.registry<{ id: string }>();
  const wanted = new Set<string>();
  for (const [name, value] of Object.entries(contract)) {
    if (value instanceof z.ZodType && !registry.has(value)) {
      registry.add(value, { id: name.charAt(0).toUpperCase() + name.slice(1) });
    }
  }
  return {
    ref(schema, name) {
      if (!registry.has(schema)) registry.add(schema, { id: name });
      const id = registry.get(schema)?.id ?? name;
      wanted.add(id);
      return { $ref: `${PREFIX}${id}` };
    },
    schemas() {
      const { schemas } = z.toJSONSchema(registry, {
        uri: (id) => `${PREFIX}${id}`,
        io: 'input',
        unrepresentable: 'any',
        override: contract.publishPacemakerMinimum(pacemakerMinSeconds),
      });
      return reachable(schemas as Record<string, JsonObject>, wanted);
    },
  };
}

/** Those that are referred to, and those that they refer to; sorted, without JSON Schema's own headers. */
function reachable(
  all: Readonly<Record<string, JsonObject>>,
  from: Iterable<string>,
): Record<string, JsonObject> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    const schema = all[id];
    if (schema === undefined || found.has(id)) return;
    found.add(id);
    for (const [, next = ''] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      visit(next);
    }
  };
  for (const id of from) visit(id);
  const names = [...found].sort();
  return Object.fromEntries(
    names.map((id) => {
      const { $schema: _dialect, $id: _id, id: _own, ...schema } = all[id] ?? {};
      return [id, schema];
    }),
  );
}
