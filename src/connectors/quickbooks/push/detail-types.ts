/** Categories of new accounts. */
export const CATEGORIES = ['ASSET', 'BANK', 'EQUITY', 'EXPENSE', 'INCOME', 'LIABILITY'] as const;
type AccountCategory = (typeof CATEGORIES)[number];

/** The detail types that every country has, by category: others are known to QuickBooks alone. */
const DETAIL_TYPES: Readonly<Record<AccountCategory, string>> = {
  ASSET: `AccountsReceivable AllowanceForBadDebts DevelopmentCosts EmployeeCashAdvances OtherCurrentAssets Inventory
    Investment_MortgageRealEstateLoans Investment_Other Investment_TaxExemptSecurities Investment_USGovernmentObligations
    LoansToOfficers LoansToOthers LoansToStockholders PrepaidExpenses Retainage UndepositedFunds
    AccumulatedDepletion AccumulatedDepreciation AccumulatedAmortization Buildings DepletableAssets FixedAssetComputers
    FixedAssetCopiers FixedAssetFurniture FixedAssetPhone FixedAssetPhotoVideo FixedAssetSoftware
    FixedAssetOtherToolsEquipment FurnitureAndFixtures IntangibleAssets Land LeaseholdImprovements MachineryAndEquipment
    OtherFixedAssets Vehicles
    AccumulatedAmortizationOfOtherAssets Goodwill LeaseBuyout Licenses OrganizationalCosts OtherLongTermAssets
    SecurityDeposits`,
  BANK: 'CashOnHand Checking MoneyMarket RentsHeldInTrust Savings TrustAccounts',
  EQUITY: `AccumulatedAdjustment CommonStock EstimatedTaxes Healthcare OpeningBalanceEquity OwnersEquity
    PaidInCapitalOrSurplus PartnerContributions PartnerDistributions PartnersEquity PersonalExpense PersonalIncome
    PreferredStock RetainedEarnings TreasuryStock`,
  EXPENSE: `AdvertisingPromotional Auto BadDebts BankCharges CharitableContributions CommissionsAndFees CostOfLabor
    DuesSubscriptions Entertainment EntertainmentMeals EquipmentRental FinanceCosts GlobalTaxExpense Insurance InterestPaid
    LegalProfessionalFees OfficeExpenses OfficeGeneralAdministrativeExpenses OtherBusinessExpenses
    OtherMiscellaneousServiceCost PayrollExpenses PromotionalMeals RentOrLeaseOfBuildings RepairMaintenance
    ShippingFreightDelivery SuppliesMaterials TaxesPaid Travel TravelMeals UnappliedCashBillPaymentExpense Utilities
    Amortization Depreciation ExchangeGainOrLoss GasAndFuel HomeOffice HomeOwnerRentalInsurance MortgageInterest
    OtherHomeOfficeExpenses OtherMiscellaneousExpense OtherVehicleExpenses ParkingAndTolls PenaltiesSettlements
    RentAndLease RepairsAndMaintenance Vehicle VehicleInsurance VehicleLease VehicleLoan VehicleLoanInterest
    VehicleRegistration VehicleRepairs WashAndRoadServices
    CostOfLaborCos EquipmentRentalCos OtherCostsOfServiceCos ShippingFreightDeliveryCos SuppliesMaterialsCogs`,
  INCOME: `DiscountsRefundsGiven NonProfitIncome OtherPrimaryIncome SalesOfProductIncome ServiceFeeIncome
    UnappliedCashPaymentIncome
    DividendIncome InterestEarned OtherInvestmentIncome OtherMiscellaneousIncome TaxExemptInterest`,
  LIABILITY: `AccountsPayable CreditCard DirectDepositPayable FederalIncomeTaxPayable GlobalTaxPayable GlobalTaxSuspense
    InsurancePayable LineOfCredit LoanPayable OtherCurrentLiabilities PayrollClearing PayrollTaxPayable
    PrepaidExpensesPayable RentsInTrustLiability SalesTaxPayable StateLocalIncomeTaxPayable TrustAccountsLiabilities
    NotesPayable OtherLongTermLiabilities ShareholderNotesPayable`,
};

const CATEGORY_BY_DETAIL = new Map(
  CATEGORIES.flatMap((category) =>
    DETAIL_TYPES[category].split(/\s+/).map((name) => [name, category] as const),
  ),
);

/** The category of a detail type; null if only QuickBooks knows it. */
export const categoryOfDetail = (detailType: string): AccountCategory | null =>
  CATEGORY_BY_DETAIL.get(detailType) ?? null;
