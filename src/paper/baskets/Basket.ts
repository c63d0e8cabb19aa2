import type { ExecuteRequest, ExecutionStatus, PriceRange } from '../../contract/index.ts';

/** A group of executions that are launched and controlled together (BSK-1). */
export interface Basket {
  readonly basketId: string;
  readonly name: string | null;
  readonly templateId: string | null;
  readonly priceRange: PriceRange | null;
  readonly legs: readonly BasketLeg[];
  readonly createdTime: number;
  readonly request: unknown;
}

export interface BasketLeg {
  readonly request: ExecuteRequest;
  readonly executionId: string;
  /** null while its execution has not ended. */
  endedAs: ExecutionStatus | null;
}

/** A template as it is recorded (conventions §3). */
export interface BasketTemplateFields {
  readonly template_id: string;
  readonly name: string;
  readonly legs: readonly ExecuteRequest[];
  readonly price_range: PriceRange | null;
}

export interface BasketTemplate extends BasketTemplateFields {
  readonly createdTime: number;
}
