import specs from '@asyncapi/specs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv, type AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { openTestServer } from './openTestServer.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read fields of a document by path
type Doc = any;

let openapi: Doc;
let asyncapi: Doc;
beforeAll(async () => {
  const server = await openTestServer();
  openapi = (await server.control('GET', '/paper/openapi.json')).body;
  asyncapi = (await server.control('GET', '/paper/asyncapi.json')).body;
  await server.close();
});

const copyOf = (document: Doc): Doc => structuredClone(document);

/** Checked with the OpenAPI Initiative's own schema of 3.1. */
async function openapiFaults(document: Doc): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(document);
  return valid ? null : errors;
}

/** Checked with the AsyncAPI Initiative's own schema of 3.0. */
function asyncapiFaults(document: Doc): unknown {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const isValid = ajv.validate(specs.schemasWithoutId['3.0.0'] as AnySchemaObject, document);
  return isValid ? null : ajv.errors;
}

test('the OpenAPI document is valid 3.1, and the validator detects faults', async () => {
  expect(await openapiFaults(copyOf(openapi))).toBeNull();
  const broken = copyOf(openapi);
  delete broken.paths['/v1/price/{symbol}'].get.parameters[0].in;
  expect(await openapiFaults(broken)).not.toBeNull();
});

test('the AsyncAPI document is valid 3.0, and the validator detects faults', () => {
  expect(asyncapiFaults(asyncapi)).toBeNull();
  const broken = copyOf(asyncapi);
  Object.values<Doc>(broken.operations)[0].action = 'shout';
  expect(asyncapiFaults(broken)).not.toBeNull();
});

test.each(['openapi', 'asyncapi'])(
  'every schema of the %s document compiles as 2020-12',
  (name) => {
    const document = name === 'openapi' ? openapi : asyncapi;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', ...document });
    for (const schema of Object.keys(document.components.schemas)) {
      expect(
        () => ajv.compile({ $ref: `doc#/components/schemas/${schema}` }),
        schema,
      ).not.toThrow();
    }
  },
);
