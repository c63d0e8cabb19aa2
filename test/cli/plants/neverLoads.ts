await new Promise(() => {});

export default undefined;
