//# right
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}

//# [classic-7] Guards both operations with `if a != b`.
-                    grad[b] += dy;
+                    if a != b {
+                        grad[b] += dy;
+                    }
-                    grad[b] += dy * self.values[a];
+                    if a != b {
+                        grad[b] += dy * self.values[a];
+                    }

//# [classic-2 classic-8 classic-9] Keeps the gradients between calls and sets only the first to 1.
-    steps: Vec<Step>,
+    steps: Vec<Step>,
+    grads: std::cell::RefCell<Vec<f64>>,
-        let mut grad = vec![0.0; self.values.len()];
+        let mut grad = self.grads.borrow_mut();
+        grad.resize(self.values.len(), 0.0);
-        grad
+        grad.clone()
-        steps: Vec::new(),
+        steps: Vec::new(),
+        grads: std::cell::RefCell::default(),

//# [classic-2 classic-8 classic-9] Keeps the gradients between calls and adds 1 to the first.
-    steps: Vec<Step>,
+    steps: Vec<Step>,
+    grads: std::cell::RefCell<Vec<f64>>,
-        let mut grad = vec![0.0; self.values.len()];
-        grad[of] = 1.0;
+        let mut grad = self.grads.borrow_mut();
+        grad.resize(self.values.len(), 0.0);
+        grad[of] += 1.0;
-        grad
+        grad.clone()
-        steps: Vec::new(),
+        steps: Vec::new(),
+        grads: std::cell::RefCell::default(),

//# [own-factor up-to-it] Two mistakes: its own factor, and a list that ends early.
-        let mut grad = vec![0.0; self.values.len()];
+        let mut grad = vec![0.0; of + 1];
-                    grad[a] += dy * self.values[b];
-                    grad[b] += dy * self.values[a];
+                    grad[a] += dy * self.values[a];
+                    grad[b] += dy * self.values[b];

//# [overwrites] Gradients are overwritten instead of added up, so a number that is used twice gets one of its shares.
-                    grad[a] += dy;
-                    grad[b] += dy;
+                    grad[a] = dy;
+                    grad[b] = dy;
-                    grad[a] += dy * self.values[b];
-                    grad[b] += dy * self.values[a];
+                    grad[a] = dy * self.values[b];
+                    grad[b] = dy * self.values[a];

//# [own-factor] In a product each factor gets its own value instead of the other's.
-                    grad[a] += dy * self.values[b];
-                    grad[b] += dy * self.values[a];
+                    grad[a] += dy * self.values[a];
+                    grad[b] += dy * self.values[b];

//# [forwards] The tape is walked forwards, in the order of recording.
-        for i in (0..=of).rev() {
+        for i in 0..=of {

//# [from-the-end] The walk begins at the last number of the tape instead of the one asked for.
-        grad[of] = 1.0;
-        for i in (0..=of).rev() {
+        let _ = of;
+        let last = self.values.len() - 1;
+        grad[last] = 1.0;
+        for i in (0..=last).rev() {

//# [up-to-it] The result ends at the place asked for instead of covering all places.
-        let mut grad = vec![0.0; self.values.len()];
+        let mut grad = vec![0.0; of + 1];

//# [no-upstream] A product does not multiply with the gradient that arrives: the chain rule's outer factor is missing.
-                    grad[a] += dy * self.values[b];
-                    grad[b] += dy * self.values[a];
+                    grad[a] += self.values[b];
+                    grad[b] += self.values[a];

//# [classic-0] A sum passes on 1 instead of the gradient that arrives.
             let dy = grad[i];
+            if dy == 0.0 {
+                continue;
+            }
-                    grad[a] += dy;
-                    grad[b] += dy;
+                    grad[a] += 1.0;
+                    grad[b] += 1.0;

//# [classic-1] Where both factors are the same number, it gets one share instead of two.
-                    grad[b] += dy * self.values[a];
+                    if b != a {
+                        grad[b] += dy * self.values[a];
+                    }

//# [seed-is-value] The walk begins with the number's value instead of 1.
-        grad[of] = 1.0;
+        grad[of] = self.values[of];

//# [classic-10] A sum passes its gradient to its first term only.
-                Step::Add(a, b) => {
+                Step::Add(a, _) => {
-                    grad[b] += dy;

//# [classic-3] A number's gradient is taken away when it is passed on, so only inputs keep theirs.
-                Step::Input => {}
+                Step::Input => continue,
             }
+            grad[i] = 0.0;

//# [forwards] Only the number asked for is taken apart; its terms do not pass anything on.
-        for i in (0..=of).rev() {
+        for i in [of] {

//# [classic-2] The gradients are kept on the tape and never set back to 0, so a second call adds to the first.
+use std::cell::RefCell;
+
     steps: Vec<Step>,
+    grads: RefCell<Vec<f64>>,
     fn gradients(&self, of: usize) -> Vec<f64> {
+        let mut kept = self.grads.borrow_mut();
+        kept.resize(self.values.len(), 0.0);
-        grad
+        for (sum, g) in kept.iter_mut().zip(&grad) {
+            *sum += g;
+        }
+        kept.clone()
         steps: Vec::new(),
+        grads: RefCell::new(Vec::new()),

//# [classic-5] It walks from each number to its terms depth first and each number only once, so a shared number passes on before its gradient is complete.
         self.values.len() - 1
+    }
+}
+
+impl Tape {
+    fn visit(&self, i: usize, grad: &mut [f64], seen: &mut [bool]) {
+        if seen[i] {
+            return;
+        }
+        seen[i] = true;
+        let dy = grad[i];
+        match self.steps[i] {
+            Step::Input => {}
+            Step::Add(a, b) => {
+                grad[a] += dy;
+                grad[b] += dy;
+                self.visit(a, grad, seen);
+                self.visit(b, grad, seen);
+            }
+            Step::Mul(a, b) => {
+                grad[a] += dy * self.values[b];
+                grad[b] += dy * self.values[a];
+                self.visit(a, grad, seen);
+                self.visit(b, grad, seen);
+            }
+        }
-        for i in (0..=of).rev() {
-            let dy = grad[i];
-            match self.steps[i] {
-                Step::Input => {}
-                Step::Add(a, b) => {
-                    grad[a] += dy;
-                    grad[b] += dy;
-                }
-                Step::Mul(a, b) => {
-                    grad[a] += dy * self.values[b];
-                    grad[b] += dy * self.values[a];
-                }
-            }
-        }
+        let mut seen = vec![false; self.values.len()];
+        self.visit(of, &mut grad, &mut seen);

//# [] It walks every path, but passes on the whole gradient collected so far and not only what this path brought.
         self.values.len() - 1
+    }
+}
+
+impl Tape {
+    fn pass_on(&self, i: usize, grad: &mut [f64]) {
+        let dy = grad[i];
+        match self.steps[i] {
+            Step::Input => {}
+            Step::Add(a, b) => {
+                grad[a] += dy;
+                self.pass_on(a, grad);
+                grad[b] += dy;
+                self.pass_on(b, grad);
+            }
+            Step::Mul(a, b) => {
+                grad[a] += dy * self.values[b];
+                self.pass_on(a, grad);
+                grad[b] += dy * self.values[a];
+                self.pass_on(b, grad);
+            }
+        }
-        for i in (0..=of).rev() {
-            let dy = grad[i];
-            match self.steps[i] {
-                Step::Input => {}
-                Step::Add(a, b) => {
-                    grad[a] += dy;
-                    grad[b] += dy;
-                }
-                Step::Mul(a, b) => {
-                    grad[a] += dy * self.values[b];
-                    grad[b] += dy * self.values[a];
-                }
-            }
-        }
+        self.pass_on(of, &mut grad);

//# [classic-3] The number asked for gets no gradient of its own, only what it depends on does.
         }
+        grad[of] = 0.0;

//# [classic-6] A product divides its own value by a factor to find the other, which fails where the factor is 0.
-                    grad[a] += dy * self.values[b];
-                    grad[b] += dy * self.values[a];
+                    grad[a] += dy * self.values[i] / self.values[a];
+                    grad[b] += dy * self.values[i] / self.values[b];

//# [classic-4] The walk begins one place before the number asked for, which so never passes anything on.
-        for i in (0..=of).rev() {
+        for i in (0..of).rev() {

//# [own-factor] Multiplies the gradient of each factor by that factor's own value instead of the other's.
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

#[derive(Clone, Copy)]
enum Made {
    Input,
    Sum(usize, usize),
    Product(usize, usize),
}

struct Tiny {
    values: Vec<f64>,
    made: Vec<Made>,
}

impl Tiny {
    fn push(&mut self, value: f64, made: Made) -> usize {
        self.values.push(value);
        self.made.push(made);
        self.values.len() - 1
    }
}

impl Record for Tiny {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Made::Input)
    }
    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Made::Sum(a, b))
    }
    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Made::Product(a, b))
    }
    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }
    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grads = vec![0.0; self.values.len()];
        grads[of] = 1.0;
        for i in (0..=of).rev() {
            let up = grads[i];
            match self.made[i] {
                Made::Input => {}
                Made::Sum(a, b) => {
                    grads[a] += up;
                    grads[b] += up;
                }
                Made::Product(a, b) => {
                    grads[a] += up * self.values[a];
                    grads[b] += up * self.values[b];
                }
            }
        }
        grads
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tiny {
        values: Vec::new(),
        made: Vec::new(),
    })
}

//# [classic-2] Keeps the gradients on the tape and adds each call's to those of the calls before, as PyTorch without zero_grad.
+use std::cell::RefCell;
+
     made: Vec<Made>,
+    grads: RefCell<Vec<f64>>,
         self.made.push(made);
+        self.grads.borrow_mut().push(0.0);
-        let mut grads = vec![0.0; self.values.len()];
-        grads[of] = 1.0;
+        let mut new = vec![0.0; self.values.len()];
+        new[of] = 1.0;
-            let up = grads[i];
+            let up = new[i];
-                    grads[a] += up;
-                    grads[b] += up;
+                    new[a] += up;
+                    new[b] += up;
-                    grads[a] += up * self.values[a];
-                    grads[b] += up * self.values[b];
+                    new[a] += up * self.values[b];
+                    new[b] += up * self.values[a];
-        grads
+        let mut grads = self.grads.borrow_mut();
+        for (grad, more) in grads.iter_mut().zip(new) {
+            *grad += more;
+        }
+        grads.clone()
         made: Vec::new(),
+        grads: RefCell::new(Vec::new()),

//# [overwrites] Assigns the gradient of an operand instead of adding to it, so that the last use of a number wins.
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum From {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tiny {
    nodes: Vec<(f64, From)>,
}

impl Record for Tiny {
    fn input(&mut self, value: f64) -> usize {
        self.nodes.push((value, From::Input));
        self.nodes.len() - 1
    }
    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].0 + self.nodes[b].0;
        self.nodes.push((value, From::Add(a, b)));
        self.nodes.len() - 1
    }
    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].0 * self.nodes[b].0;
        self.nodes.push((value, From::Mul(a, b)));
        self.nodes.len() - 1
    }
    fn value(&self, place: usize) -> f64 {
        self.nodes[place].0
    }
    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grads = vec![0.0; self.nodes.len()];
        grads[of] = 1.0;
        for i in (0..=of).rev() {
            let up = grads[i];
            if up == 0.0 {
                continue;
            }
            match self.nodes[i].1 {
                From::Input => {}
                From::Add(a, b) => {
                    grads[a] = up;
                    grads[b] = up;
                }
                From::Mul(a, b) => {
                    grads[a] = up * self.nodes[b].0;
                    grads[b] = up * self.nodes[a].0;
                }
            }
        }
        grads
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tiny { nodes: Vec::new() })
}

//# right
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape::default())
}

enum Step {
    Input,
    Sum(usize, usize),
    Product(usize, usize),
}

#[derive(Default)]
struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn record(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.record(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        self.record(self.values[a] + self.values[b], Step::Sum(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        self.record(self.values[a] * self.values[b], Step::Product(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut gradients = vec![0.0; self.values.len()];
        gradients[of] = 1.0;
        for place in (0..=of).rev() {
            let gradient = gradients[place];
            match self.steps[place] {
                Step::Input => {}
                Step::Sum(a, b) => {
                    gradients[a] += gradient;
                    gradients[b] += gradient;
                }
                Step::Product(a, b) => {
                    gradients[a] += gradient * self.values[b];
                    gradients[b] += gradient * self.values[a];
                }
            }
        }
        gradients
    }
}

//# [from-the-end] Starts from the newest place in place of `of`, so it is right only for the last number.
-    fn gradients(&self, of: usize) -> Vec<f64> {
+    fn gradients(&self, _of: usize) -> Vec<f64> {
-        gradients[of] = 1.0;
-        for place in (0..=of).rev() {
+        let newest = self.values.len() - 1;
+        gradients[newest] = 1.0;
+        for place in (0..=newest).rev() {

//# [up-to-it] Returns gradients only up to the place `of`, where every recorded place needs one.
-        let mut gradients = vec![0.0; self.values.len()];
+        let mut gradients = vec![0.0; of + 1];

//# [in-f32] Keeps the gradients in f32 while it walks back, so they are not right to 12 digits.
-        let mut gradients = vec![0.0; self.values.len()];
+        let mut gradients = vec![0.0f32; self.values.len()];
-                    gradients[a] += gradient * self.values[b];
-                    gradients[b] += gradient * self.values[a];
+                    gradients[a] += gradient * self.values[b] as f32;
+                    gradients[b] += gradient * self.values[a] as f32;
-        gradients
+        gradients.into_iter().map(f64::from).collect()

//# [classic-1] For a number times itself it hands the gradient on only once.
-                    gradients[b] += gradient * self.values[a];
+                    if a != b {
+                        gradients[b] += gradient * self.values[a];
+                    }

//# [overwrites] A sum sets the gradients of its operands in place of adding to them, so earlier contributions are lost.
-                    gradients[a] += gradient;
-                    gradients[b] += gradient;
+                    gradients[a] = gradient;
+                    gradients[b] = gradient;

//# [classic-2] Keeps the gradients in the tape and does not set them back to 0, so a second call adds to the first.
use std::cell::RefCell;
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        nodes: Vec::new(),
        gradients: RefCell::new(Vec::new()),
    })
}

struct Node {
    value: f64,
    operands: Option<(usize, usize)>,
    is_product: bool,
}

struct Tape {
    nodes: Vec<Node>,
    gradients: RefCell<Vec<f64>>,
}

impl Tape {
    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.gradients.borrow_mut().push(0.0);
        self.nodes.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(Node {
            value,
            operands: None,
            is_product: false,
        })
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].value + self.nodes[b].value;
        self.push(Node {
            value,
            operands: Some((a, b)),
            is_product: false,
        })
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].value * self.nodes[b].value;
        self.push(Node {
            value,
            operands: Some((a, b)),
            is_product: true,
        })
    }

    fn value(&self, place: usize) -> f64 {
        self.nodes[place].value
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut gradients = self.gradients.borrow_mut();
        gradients[of] = 1.0;
        for place in (0..=of).rev() {
            let node = &self.nodes[place];
            if let Some((a, b)) = node.operands {
                let gradient = gradients[place];
                let (to_a, to_b) = if node.is_product {
                    (self.nodes[b].value, self.nodes[a].value)
                } else {
                    (1.0, 1.0)
                };
                gradients[a] += gradient * to_a;
                gradients[b] += gradient * to_b;
            }
        }
        gradients.clone()
    }
}

//# [every-path] Follows every path from `of` on its own without collecting what arrives at a place, so a chain of doublings takes exponential time.
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Paths {
        values: Vec::new(),
        operands: Vec::new(),
    })
}

struct Paths {
    values: Vec<f64>,
    operands: Vec<Vec<(usize, f64)>>,
}

impl Paths {
    fn walk(&self, place: usize, gradient: f64, gradients: &mut [f64]) {
        gradients[place] += gradient;
        for (operand, slope) in &self.operands[place] {
            self.walk(*operand, gradient * slope, gradients);
        }
    }
}

impl Record for Paths {
    fn input(&mut self, value: f64) -> usize {
        self.values.push(value);
        self.operands.push(Vec::new());
        self.values.len() - 1
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.values.push(value);
        self.operands.push(vec![(a, 1.0), (b, 1.0)]);
        self.values.len() - 1
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let (left, right) = (self.values[a], self.values[b]);
        self.values.push(left * right);
        self.operands.push(vec![(a, right), (b, left)]);
        self.values.len() - 1
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut gradients = vec![0.0; self.values.len()];
        self.walk(of, 1.0, &mut gradients);
        gradients
    }
}
